import ProtobufTestMessages
import SwiftProtobuf
import Testing

@Suite struct AnyTests {
  private let race = Race.with {
    $0.name = "Finite Loops"
    $0.laps = 6
  }

  @Test func packsAndUnpacks() throws {
    let any = try Google_Protobuf_Any(message: race)
    #expect(any.typeURL == "type.googleapis.com/Race")
    #expect(any.isA(Race.self))
    #expect(!any.isA(Standings.self))
    #expect(try Race(unpackingAny: any) == race)
    #expect(throws: AnyUnpackError.typeMismatch) { try Standings(unpackingAny: any) }
    #expect(
      try Google_Protobuf_Any(message: race, typePrefix: "example.com/").typeURL
        == "example.com/Race")
  }

  @Test func unpacksExtensions() throws {
    let message = Swiftkart_Test_Extended.with { $0.Swiftkart_Test_stringExt = "a" }
    let any = try Google_Protobuf_Any(message: message)
    let extensions = Swiftkart_Test_Extensions_Extensions
    #expect(try Swiftkart_Test_Extended(unpackingAny: any, extensions: extensions) == message)
    #expect(try !Swiftkart_Test_Extended(unpackingAny: any).unknownFields.isEmpty)
  }

  @Test func registeredTypesAreWrittenAsThemselves() throws {
    #expect(Google_Protobuf_Any.register(messageType: Race.self))
    #expect(Google_Protobuf_Any.register(messageType: Race.self))
    let any = try Google_Protobuf_Any(message: race)
    let json = #"{"@type":"type.googleapis.com/Race","name":"Finite Loops","laps":6}"#
    #expect(try any.jsonString() == json)
    #expect(try Google_Protobuf_Any(jsonString: json) == any)
    // The type may come last.
    #expect(
      try Google_Protobuf_Any(
        jsonString: #"{"name":"Finite Loops","laps":6,"@type":"type.googleapis.com/Race"}"#) == any)
  }

  @Test func unregisteredTypesAreErrors() throws {
    let any = try Google_Protobuf_Any(message: Swiftkart_Test_Leaf())
    #expect(throws: JSONEncodingError.unregisteredType(url: any.typeURL)) { try any.jsonString() }
    for json in [#"{"@type":"x/unheard.Of"}"#, #"{"name":"no type"}"#, #"{"@type":5}"#] {
      #expect(throws: JSONDecodingError.self) { try Google_Protobuf_Any(jsonString: json) }
    }
  }

  /// Each level costs few bytes: without a limit, a short message would end the stack.
  @Test func nestingIsLimited() throws {
    func nested(_ levels: Int) throws -> Google_Protobuf_Any {
      var any = Google_Protobuf_Any()
      for _ in 0..<levels { any = try Google_Protobuf_Any(message: any) }
      return any
    }
    let url = try nested(1).typeURL
    #expect(try nested(100).jsonString().contains(url))
    #expect(throws: JSONEncodingError.invalidAny(url: url)) { try nested(102).jsonString() }
    #expect(throws: JSONEncodingError.invalidAny(url: url)) { try nested(2000).jsonString() }
    // What is too deep stays packed.
    let text = try nested(2000).textFormatString()
    let expanded = text.split(separator: "\n").filter { $0.drop { $0 == " " }.first == "[" }
    #expect(expanded.count == 101)
    #expect(text.contains("type_url: \"\(url)\""))
    // Messages between them count, too.
    let holder = try Swiftkart_Test_EveryWellKnown.with {
      $0.any = try Google_Protobuf_Any(message: nested(100))
    }
    #expect(throws: JSONEncodingError.invalidAny(url: url)) { try holder.jsonString() }
  }

  @Test func wrongBytesAreErrors() throws {
    let any = Google_Protobuf_Any.with {
      $0.typeURL = "type.googleapis.com/google.protobuf.Duration"
      $0.value = [0xff]
    }
    #expect(throws: JSONEncodingError.invalidAny(url: any.typeURL)) { try any.jsonString() }
    #expect(throws: BinaryDecodingError.self) { try Google_Protobuf_Duration(unpackingAny: any) }
  }
}
