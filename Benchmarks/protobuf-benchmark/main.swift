import Glibc
import SwiftProtobuf

// protobuf-benchmark write FOLDER                         writes the messages for the others
// protobuf-benchmark measure SECONDS [CASE OPERATION]     measures them, or one

func write(_ bytes: [UInt8], to path: String) throws {
  guard let file = fopen(path, "w") else { throw Failure(path: path) }
  defer { fclose(file) }
  guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Failure(path: path) }
}

/// A file that can't be written.
struct Failure: Error {
  let path: String
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "write" where arguments.count == 2:
  let folder = arguments[1]
  try write(Samples.locations.serializedBytes(), to: "\(folder)/locations.bin")
  try write(Samples.races.serializedBytes(), to: "\(folder)/races.bin")
  try write(Samples.tree.serializedBytes(), to: "\(folder)/tree.bin")
  try write(Samples.blob.serializedBytes(), to: "\(folder)/blob.bin")
case "measure" where arguments.count == 2 || arguments.count == 4:
  let measurement = Measurement(
    duration: Int((Double(arguments[1]) ?? 0.3) * 1e9),
    only: arguments.count == 4 ? (arguments[2], arguments[3]) : nil)
  try measurement.measure("locations", Samples.locations)
  try measurement.measure("races", Samples.races)
  try measurement.measure("tree", Samples.tree)
  try measurement.measure("blob", Samples.blob)
default:
  print("usage: protobuf-benchmark write FOLDER | measure SECONDS [CASE OPERATION]")
  exit(2)
}
