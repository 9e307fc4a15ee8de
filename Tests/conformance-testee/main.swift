import SwiftProtobuf

// What the conformance suite's runner drives, see `make conformance`.
let types: [any Message.Type] = [
  ProtobufTestMessages_Proto2_TestAllTypesProto2.self,
  ProtobufTestMessages_Proto2_TestAllRequiredTypesProto2.self,
  ProtobufTestMessages_Proto3_TestAllTypesProto3.self,
  ProtobufTestMessages_Editions_TestAllTypesEdition2023.self,
  ProtobufTestMessages_Editions_Proto2_TestAllTypesProto2.self,
  ProtobufTestMessages_Editions_Proto2_TestAllRequiredTypesProto2.self,
  ProtobufTestMessages_Editions_Proto3_TestAllTypesProto3.self,
  ProtobufTestMessages_EditionUnstable_TestAllTypesEditionUnstable.self,
]
for type in types { Google_Protobuf_Any.register(messageType: type) }

let testee = Testee(types: types)
let channel = FrameChannel()
while let frame = try channel.read() {
  let request = try Conformance_ConformanceRequest(serializedBytes: frame)
  try channel.write(testee.answer(request).serializedBytes())
}
