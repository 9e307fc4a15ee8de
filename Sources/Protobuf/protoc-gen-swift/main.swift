import Glibc
import SwiftProtobufGenerator

exit(SwiftMessageGenerator.main())
