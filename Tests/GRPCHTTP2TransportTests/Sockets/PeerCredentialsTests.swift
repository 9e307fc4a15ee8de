import CLinux
import Testing

@testable import GRPCHTTP2Transport

/// Who the kernel says that a peer is.
@Suite struct PeerCredentialsTests {
  @Test func aProcessWithoutANumberHereHasAUser() {
    let credentials = PeerCredentials(peer_credentials(pid: 0, uid: 1000, gid: 100))
    #expect(credentials?.processID == 0)
    #expect(credentials?.userID == 1000 && credentials?.groupID == 100)
  }

  @Test func aSocketOfAnotherFamilyHasNone() {
    #expect(PeerCredentials(peer_credentials(pid: 0, uid: .max, gid: .max)) == nil)
  }
}
