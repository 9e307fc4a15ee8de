import Glibc
import SwiftProtobufGenerator

exit(SwiftServiceGenerator.main())
