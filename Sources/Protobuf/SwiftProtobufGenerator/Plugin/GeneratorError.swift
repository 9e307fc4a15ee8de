import FoundationEssentials

/// Why a generator can't do what it was asked to.
public enum GeneratorError: Error, Hashable, CustomStringConvertible {
  /// An option that the generator does not have.
  case unknownOption(String)
  /// An option whose value is not one of those it may have.
  case invalidOption(name: String, value: String, expected: String)
  /// The file of `ProtoPathModuleMappings` can't be used.
  case invalidModuleMappings(path: String, problem: String)
  /// A configuration that can't be used.
  case badConfig(URL, reason: String)
  /// A type that no file of the request declares.
  case unknownType(String)
  /// What came on standard input is no request.
  case invalidRequest(String)

  /// One sentence naming the thing and the mend.
  public var description: String {
    switch self {
    case .unknownOption(let name):
      "there is no option '\(name)'"
    case .invalidOption(let name, let value, let expected):
      "option '\(name)' can't be '\(value)': use \(expected)"
    case .invalidModuleMappings(let path, let problem):
      "module mappings '\(path)': \(problem)"
    case .badConfig(let url, let reason):
      "\(url.path): \(reason)"
    case .unknownType(let name):
      "the request declares no type '\(name)'"
    case .invalidRequest(let problem):
      "standard input holds no CodeGeneratorRequest (\(problem)): let protoc run this program"
    }
  }
}
