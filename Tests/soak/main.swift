import Glibc

// Makes many calls and connections of all kinds between a server and clients in this one process, and
// watches what memory it has: `soak CALLS CONNECTIONS`, see `make soak`. Ends with status 1 if the
// memory grows.

let counts = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
guard counts.count == 2, counts.allSatisfy({ $0 >= Soak.steps }) else {
  say(
    "soak: say how many calls and how many connections to make, \(Soak.steps) or more.",
    STDERR_FILENO)
  exit(2)
}
let soak = try Soak()
var isFlat = true
try await soak.serving {
  for (phase, count) in zip([Soak.Phase.calls, .connections], counts) {
    if try await !soak.run(phase, count: count) { isFlat = false }
  }
}
exit(isFlat ? 0 : 1)
