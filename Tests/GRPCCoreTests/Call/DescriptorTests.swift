import GRPCCore
import Testing

@Suite struct DescriptorTests {
  @Test(arguments: [("kart.v1.Races", "kart.v1", "Races"), ("Races", "", "Races")])
  func servicesHaveAPackage(name: String, package: String, service: String) {
    let descriptor = ServiceDescriptor(fullyQualifiedService: name)
    #expect(descriptor.package == package)
    #expect(descriptor.service == service)
    #expect(descriptor == ServiceDescriptor(package: package, service: service))
    #expect("\(descriptor)" == name)
  }

  @Test func methodsAreTheSameByName() {
    let plain = MethodDescriptor(fullyQualifiedService: "a.B", method: "C")
    let typed = MethodDescriptor(fullyQualifiedService: "a.B", method: "C", type: .unary)
    #expect(plain == typed)
    #expect(plain.hashValue == typed.hashValue)
    #expect(plain != MethodDescriptor(fullyQualifiedService: "a.B", method: "D"))
    #expect("\(typed)" == "a.B/C")
  }

  @Test(arguments: [
    (MethodDescriptor.RPCType.unary, false, false), (.clientStreaming, true, false),
    (.serverStreaming, false, true), (.bidirectionalStreaming, true, true),
  ])
  func typesSayWhatStreams(type: MethodDescriptor.RPCType, requests: Bool, responses: Bool) {
    #expect(type.isRequestStreaming == requests)
    #expect(type.isResponseStreaming == responses)
  }
}
