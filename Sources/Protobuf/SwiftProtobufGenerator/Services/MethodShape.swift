import SwiftProtobuf

/// A method as its Swift code sees it.
struct MethodShape {
  /// How many messages go each way.
  enum Kind: String {
    case unary, clientStreaming, serverStreaming, bidirectionalStreaming

    var streamsRequests: Bool { self == .clientStreaming || self == .bidirectionalStreaming }
    var streamsResponses: Bool { self == .serverStreaming || self == .bidirectionalStreaming }
  }

  /// The name in the .proto file, which is that of the method's namespace too.
  let name: String
  /// The name of the functions that handle and make calls.
  let function: String
  let kind: Kind
  let input: String
  let output: String
  let comment: [String]

  init(_ method: MethodDescriptor, resolver: TypeResolver) throws {
    name = method.name
    function = SwiftNaming.methodName(method.name)
    kind =
      switch (method.proto.clientStreaming, method.proto.serverStreaming) {
      case (false, false): .unary
      case (true, false): .clientStreaming
      case (false, true): .serverStreaming
      case (true, true): .bidirectionalStreaming
      }
    input = try resolver.messageType(method.inputTypeName)
    output = try resolver.messageType(method.outputTypeName)
    comment = method.comment
  }
}

extension SwiftNaming {
  /// The function of a method: `ListRaces` → `listRaces`, `FOOBarX` → `fooBarX`, `GET` → `get`.
  public static func methodName(_ name: String) -> String {
    let capitals = name.prefix { $0.isUppercase }
    // The last capital of several begins the next word, unless no word follows.
    let rest = name.dropFirst(capitals.count)
    let lowered =
      capitals.count > 1 && rest.first?.isLetter == true ? capitals.dropLast() : capitals
    let result = lowered.lowercased() + name.dropFirst(lowered.count)
    return ReservedWords.keywords.contains(result) ? "`\(result)`" : result
  }
}
