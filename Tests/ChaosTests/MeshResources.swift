import Foundation
import MeshTesting

/// What the processes of a mesh hold: of each kind, the one that holds most.
struct MeshResources {
  private struct Usage {
    var processes: Int
    var kilobytes: Int
    var descriptors: Int
  }

  /// A kind of process, and how much more it may hold after chaos than before.
  private struct Kind {
    var executable: String
    var kilobytes: Int
    var descriptors: Int
  }

  private static let kinds = [
    // Those who follow a race and those who catch up have channels of their own, which connect to each of the three
    // trackers when there is a first call for it.
    Kind(executable: "gateway", kilobytes: 8 << 10, descriptors: 2 * 3),
    // The same channels' connections to it.
    Kind(executable: "tracker-service", kilobytes: 8 << 10, descriptors: 2),
    Kind(executable: "schedule-service", kilobytes: 4 << 10, descriptors: 0),
  ]

  private let usages: [Usage]

  init(of mesh: Mesh) {
    usages = Self.kinds.map { kind in
      let processes = mesh.processes(kind.executable)
      return Usage(
        processes: processes.count, kilobytes: processes.map(Self.kilobytes).max() ?? 0,
        descriptors: processes.map(Self.descriptors).max() ?? 0)
    }
  }

  /// What is more than it may be, or missing.
  func excess(over before: MeshResources) -> [String] {
    zip(Self.kinds, zip(before.usages, usages)).compactMap { kind, usages in
      let (before, after) = usages
      let isFit =
        after.processes == before.processes
        && after.kilobytes <= before.kilobytes + kind.kilobytes
        && after.descriptors <= before.descriptors + kind.descriptors
      return isFit ? nil : "\(kind.executable): \(before), then \(after)"
    }
  }

  /// The same as rows of a report.
  func rows(since before: MeshResources) -> [(name: String, value: String)] {
    zip(Self.kinds, zip(before.usages, usages)).flatMap { kind, usages in
      [
        ("\(kind.executable): memory", "\(usages.0.kilobytes) kB, then \(usages.1.kilobytes) kB"),
        (
          "\(kind.executable): descriptors",
          "\(usages.0.descriptors), then \(usages.1.descriptors)"
        ),
      ]
    }
  }

  private static func kilobytes(of process: Int32) -> Int {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { Int($0.split(separator: " ").dropLast().last ?? "") } ?? 0
  }

  private static func descriptors(of process: Int32) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? 0
  }
}
