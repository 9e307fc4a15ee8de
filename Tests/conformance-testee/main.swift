import ProtobufTestMessages
import SwiftProtobuf

// What the conformance suite's runner drives, see `make conformance`, and what is compared with
// PyPI's protobuf, see `make differential`.
let conformanceTypes: [any Message.Type] = [
  ProtobufTestMessages_Proto2_TestAllTypesProto2.self,
  ProtobufTestMessages_Proto2_TestAllRequiredTypesProto2.self,
  ProtobufTestMessages_Proto3_TestAllTypesProto3.self,
  ProtobufTestMessages_Editions_TestAllTypesEdition2023.self,
  ProtobufTestMessages_Editions_Proto2_TestAllTypesProto2.self,
  ProtobufTestMessages_Editions_Proto2_TestAllRequiredTypesProto2.self,
  ProtobufTestMessages_Editions_Proto3_TestAllTypesProto3.self,
  ProtobufTestMessages_EditionUnstable_TestAllTypesEditionUnstable.self,
]
let ownTypes: [any Message.Type] = [
  Swiftkart_Test_EveryType.self, Swiftkart_Test_EveryOptional.self,
  Swiftkart_Test_EveryRepeated.self, Swiftkart_Test_EveryMap.self,
  Swiftkart_Test_EveryOneof.self, Swiftkart_Test_EveryWellKnown.self,
  Swiftkart_Test_Legacy.self, Swiftkart_Test_Modern.self, Swiftkart_Test_Node.self,
  Swiftkart_Test_Holder.self, Swiftkart_Test_Extended.self, Swiftkart_Test_SetHolder.self,
  Swiftkart_Test_Defaults.self, Swiftkart_Test_RequiredHolder.self, Swiftkart_Test_Choices.self,
  Swiftkart_Test_Maps.self, Swiftkart_Test_Features.self, Swiftkart_Test_Colliding.self,
]
let extensions = SimpleExtensionMap(
  ProtobufTestMessages_Proto2_TestMessagesProto2_Extensions,
  ProtobufTestMessages_Editions_TestMessagesEdition2023_Extensions,
  ProtobufTestMessages_Editions_Proto2_TestMessagesProto2Editions_Extensions,
  ProtobufTestMessages_EditionUnstable_TestMessagesEditionUnstable_Extensions,
  Swiftkart_Test_Extensions_Extensions)

for type in conformanceTypes { Google_Protobuf_Any.register(messageType: type) }
let testee = Testee(types: conformanceTypes + ownTypes, extensions: extensions)
let channel = FrameChannel()
while let frame = try channel.read() {
  let request = try Conformance_ConformanceRequest(serializedBytes: frame)
  try channel.write(testee.answer(request).serializedBytes())
}
