import GRPCProtobuf
import SwiftProtobuf
import Testing

/// The standard details, against bytes that Google's own messages are written as.
@Suite struct ErrorDetailsTests {
  private static let quota: ErrorDetails.QuotaFailure.Violation = {
    var violation = ErrorDetails.QuotaFailure.Violation(
      subject: "clientip:192.0.2.1", description: "Too many.")
    violation.apiService = "kart"
    violation.quotaMetric = "calls"
    violation.quotaID = "calls-per-day"
    violation.quotaDimensions = ["region": "eu"]
    violation.quotaValue = 10
    violation.futureQuotaValue = 20
    return violation
  }()

  static let standard: [(details: ErrorDetails, name: String, hex: String)] = [
    (
      .errorInfo(
        reason: "RACE_OVER", domain: "kart.example", metadata: ["race": "Finite Loops"]),
      "ErrorInfo",
      "0a09524143455f4f564552120c6b6172742e6578616d706c651a140a0472616365120c46696e697465204c6f6f7073"
    ),
    (.retryInfo(delay: .milliseconds(1500)), "RetryInfo", "0a0808011080cab5ee01"),
    (.debugInfo(stack: ["a", "b"], detail: "d"), "DebugInfo", "0a01610a0162120164"),
    (
      .quotaFailure(violations: [quota]), "QuotaFailure",
      "0a4d0a12636c69656e7469703a3139322e302e322e311209546f6f206d616e792e1a046b617274220563616c6c73"
        + "2a0d63616c6c732d7065722d646179320c0a06726567696f6e12026575380a4014"
    ),
    (
      .preconditionFailure(
        violations: [.init(type: "FLAG", subject: "race", description: "It is red.")]),
      "PreconditionFailure", "0a180a04464c41471204726163651a0a4974206973207265642e"
    ),
    (
      .badRequest(violations: [
        .init(
          field: "laps", description: "Negative.", reason: "NEGATIVE",
          localizedMessage: .init(locale: "de", message: "Negativ."))
      ]), "BadRequest",
      "0a2b0a046c61707312094e656761746976652e1a084e45474154495645220e0a02646512084e6567617469762e"
    ),
    (.requestInfo(requestID: "7", servingData: "s"), "RequestInfo", "0a0137120173"),
    (
      .resourceInfo(type: "race", name: "x", errorDescription: "Gone.", owner: "o"),
      "ResourceInfo", "0a04726163651201781a016f2205476f6e652e"
    ),
    (
      .help(links: [.init(url: "https://kart.example", description: "Read.")]), "Help",
      "0a1d0a05526561642e121468747470733a2f2f6b6172742e6578616d706c65"
    ),
    (.localizedMessage(locale: "en", message: "Hi."), "LocalizedMessage", "0a02656e120348692e"),
  ]

  @Test(arguments: standard.indices) func standardDetailsAreGooglesOwn(index: Int) {
    let (details, name, hex) = Self.standard[index]
    #expect(details.any.typeURL == "type.googleapis.com/google.rpc.\(name)")
    #expect(details.any.value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == hex)
  }

  @Test(arguments: standard.indices) func standardDetailsAreReadBack(index: Int) {
    let details = Self.standard[index].details
    let again: [ErrorDetails?] = [
      details.errorInfo.map {
        .errorInfo(reason: $0.reason, domain: $0.domain, metadata: $0.metadata)
      },
      details.retryInfo.map { .retryInfo(delay: $0.delay) },
      details.debugInfo.map { .debugInfo(stack: $0.stack, detail: $0.detail) },
      details.quotaFailure.map { .quotaFailure(violations: $0.violations) },
      details.preconditionFailure.map { .preconditionFailure(violations: $0.violations) },
      details.badRequest.map { .badRequest(violations: $0.violations) },
      details.requestInfo.map {
        .requestInfo(requestID: $0.requestID, servingData: $0.servingData)
      },
      details.resourceInfo.map {
        .resourceInfo(
          type: $0.type, name: $0.name, errorDescription: $0.errorDescription, owner: $0.owner)
      },
      details.help.map { .help(links: $0.links) },
      details.localizedMessage.map { .localizedMessage(locale: $0.locale, message: $0.message) },
    ]
    // Its own kind reads it, and no other does.
    #expect(again.count == Self.standard.count)
    for (place, read) in again.enumerated() {
      #expect(read == (place == index ? details : nil))
    }
  }

  @Test func anyMessageMayBeDetails() throws {
    let duration = Google_Protobuf_Duration(seconds: 3)
    let details = try ErrorDetails.packing(duration)
    #expect(try details.unpack() == duration)
    #expect(try details.unpack(Google_Protobuf_Timestamp.self) == nil)
    #expect(ErrorDetails.any(details.any) == details)
    #expect(details.retryInfo == nil)
  }

  @Test func detailsThatCannotBeReadAreNone() {
    let broken = ErrorDetails.any(
      .with {
        $0.typeURL = "type.googleapis.com/google.rpc.ErrorInfo"
        $0.value = [0x0A, 0x05]
      })
    #expect(broken.errorInfo == nil)
  }
}
