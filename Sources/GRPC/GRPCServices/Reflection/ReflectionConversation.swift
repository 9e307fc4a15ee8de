import GRPCCore

/// One call of reflection, which remembers the files that it has sent.
struct ReflectionConversation {
  private let index: DescriptorIndex
  private var sent: Set<String> = []

  init(index: DescriptorIndex) {
    self.index = index
  }

  /// Answers a request.
  ///
  /// - Throws: `RPCError` INVALID_ARGUMENT where the request asks for nothing.
  mutating func answer(
    _ request: Grpc_Reflection_V1_ServerReflectionRequest
  ) throws(RPCError) -> Grpc_Reflection_V1_ServerReflectionResponse {
    var response = Grpc_Reflection_V1_ServerReflectionResponse()
    response.validHost = request.host
    response.originalRequest = request
    switch request.messageRequest {
    case .fileByFilename(let name):
      response.messageResponse = file(index.hasFile(name) ? name : nil, "file '\(name)'")
    case .fileContainingSymbol(let symbol):
      response.messageResponse = file(index.file(containing: symbol), "symbol '\(symbol)'")
    case .fileContainingExtension(let wanted):
      response.messageResponse = file(
        index.file(extending: wanted.containingType, by: wanted.extensionNumber),
        "extension \(wanted.extensionNumber) of '\(wanted.containingType)'")
    case .allExtensionNumbersOfType(let type):
      if let numbers = index.extensionNumbers(of: type) {
        response.allExtensionNumbersResponse = .with {
          $0.baseTypeName = type
          $0.extensionNumber = numbers
        }
      } else {
        response.messageResponse = notFound("message type '\(type)'")
      }
    case .listServices:
      response.listServicesResponse = .with {
        $0.service = index.services.map { name in .with { $0.name = name } }
      }
    case nil:
      throw RPCError(
        code: .invalidArgument, message: "The request does not say what it asks for.")
    }
    return response
  }

  private typealias Answer = Grpc_Reflection_V1_ServerReflectionResponse.OneOf_MessageResponse

  /// A file, and of what it imports all that this call has not sent yet.
  private mutating func file(_ name: String?, _ wanted: String) -> Answer {
    guard let name else { return notFound(wanted) }
    let files = index.fileAndImports(name).filter { file in
      sent.insert(file.name).inserted || file.name == name
    }
    return .fileDescriptorResponse(.with { $0.fileDescriptorProto = files.map(\.bytes) })
  }

  private func notFound(_ wanted: String) -> Answer {
    .errorResponse(
      .with {
        $0.errorCode = Int32(RPCError.Code.notFound.rawValue)
        $0.errorMessage = "There is no \(wanted)."
      })
  }
}
