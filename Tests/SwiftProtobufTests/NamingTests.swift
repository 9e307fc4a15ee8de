import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Names that collide with Swift's words compile, and keep their names in every format.
@Suite struct NamingTests {
  @Test func collidingNamesGoRound() throws {
    let message = Swiftkart_TestNaming_V1_Names.with {
      $0.default = "a"
      $0.self_p = "b"
      $0.init_p = "c"
      $0.class = "d"
      $0.hasName_p = "e"
      $0.name = "f"
      $0.in = [1]
      $0.protocol = [1: .with { $0.name = "t" }]
      $0.string = .with { $0.string = "s" }
      $0.raceID = "g"
      $0.url = "h"
      $0.theHTTPURL2X = "i"
      $0.leading = "j"
      $0.jsonRenamed = "k"
      $0.withJson = "l"
      $0.switch = .kind(.self_)
      $0.valueOneof = .selfValue(1)
      $0.jsonEscaped = "m"
    }
    let bytes: [UInt8] = try message.serializedBytes()
    #expect(try Swiftkart_TestNaming_V1_Names(serializedBytes: bytes) == message)
    let json =
      #"{"default":"a","self":"b","init":"c","class":"d","name":"f","hasName":"e","in":[1],"#
      + #""protocol":{"1":{"name":"t"}},"string":{"string":"s"},"raceId":"g","url":"h","#
      + #""theHttpUrl2x":"i","Leading":"j","Other":"k","@x y":"l","kind":"KIND_SELF","selfValue":1,"#
      + #""\"\\\n=":"m"}"#
    #expect(try message.jsonString() == json)
    #expect(try Swiftkart_TestNaming_V1_Names(jsonString: json) == message)
  }

  @Test func messagesMayBeCalledLikeGenericParameters() throws {
    let message = V.with { $0.r.v = ["a": .with { $0.r.t.r = .init() }] }
    let bytes: [UInt8] = try message.serializedBytes()
    #expect(try V(serializedBytes: bytes) == message)
    #expect(try V(jsonString: message.jsonString()) == message)
  }

  @Test func aliasesShareANumber() throws {
    #expect(Swiftkart_TestNaming_V1_Kind.alias == .self_)
    #expect(Swiftkart_TestNaming_V1_Kind(name: "KIND_ALIAS") == .self_)
    #expect(Swiftkart_TestNaming_V1_Kind.self_.name == "KIND_SELF")
  }
}
