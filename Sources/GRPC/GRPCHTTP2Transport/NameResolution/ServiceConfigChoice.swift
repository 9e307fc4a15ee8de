import FoundationEssentials
import GRPCCore

/// One of the configurations that a service's owner has for it, and for which of the clients it is.
///
/// See gRPC's proposal A2.
struct ServiceConfigChoice: Decodable {
  /// A client, as far as a choice may depend on it.
  struct Client: Sendable {
    /// The machine's name.
    var hostname: String
    /// Which of a hundred clients it is, from 0 on.
    var place: Int
  }

  /// What begins the record's text.
  private static let prefix = "grpc_config="
  private static let language = "swift"

  private var clientLanguage: [String]?
  private var percentage: Int?
  private var clientHostname: [String]?
  private var serviceConfig: JSONValue

  /// The configuration for a client, among the texts of TXT records.
  ///
  /// - Returns: The configuration of the first choice that is for the client, or why it cannot be read; nil if there is
  ///   none.
  static func config(in texts: [String], for client: Client) -> Result<ServiceConfig, RPCError>? {
    guard let text = texts.first(where: { $0.hasPrefix(prefix) }) else { return nil }
    do {
      let choices = try JSONDecoder().decode(
        [ServiceConfigChoice].self, from: Data(text.dropFirst(prefix.count).utf8))
      guard let choice = choices.first(where: { $0.isFor(client) }) else { return nil }
      let config = try JSONEncoder().encode(choice.serviceConfig)
      return .success(try JSONDecoder().decode(ServiceConfig.self, from: config))
    } catch {
      return .failure(
        RPCError(
          code: .unavailable,
          message: "The TXT record with the service's configuration cannot be read: \(error)."))
    }
  }

  private func isFor(_ client: Client) -> Bool {
    if let clientLanguage, !clientLanguage.isEmpty,
      !clientLanguage.contains(where: { $0.lowercased() == Self.language })
    {
      return false
    }
    if let clientHostname, !clientHostname.isEmpty, !clientHostname.contains(client.hostname) {
      return false
    }
    return client.place < percentage ?? 100
  }
}

extension ServiceConfigChoice.Client {
  /// This process, which is the same one of a hundred for as long as this value is kept.
  static func current() -> Self {
    Self(hostname: ProcessInfo.processInfo.hostName, place: Int.random(in: 0..<100))
  }
}
