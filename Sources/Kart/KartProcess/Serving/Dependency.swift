import GRPCCore

/// Something that some of a process's services cannot answer without, as a gateway's cannot without those behind it.
package struct Dependency: Sendable {
  /// What it is called in the log.
  let name: String
  /// The services that need it. The process as a whole does not: to end it would bring nothing back.
  let services: Set<ServiceDescriptor>
  /// Whether it is there. Until this says so, it is not.
  let isThere: any AsyncSequence<Bool, Never> & Sendable

  /// - Parameters:
  ///   - name: What it is called in the log, such as "schedule"; each of a process's has its own.
  ///   - services: The services that need it.
  ///   - isThere: Tells whether it is there, each time anew.
  package init(
    _ name: String, of services: Set<ServiceDescriptor>,
    isThere: any AsyncSequence<Bool, Never> & Sendable
  ) {
    self.name = name
    self.services = services
    self.isThere = isThere
  }

  /// Has health tell whether it is there, and logs when it goes and when it comes back, until the process drains or
  /// the task is cancelled.
  func watch(_ health: ServingHealth, log: Log) async {
    // What is there soon after the start is not worth a line.
    var wasThere: Bool?
    for await isThere in isThere where isThere != wasThere {
      // Where all of a mesh is ended, the others may be gone first.
      guard !health.isDraining else { return }
      if !isThere {
        log.warning("upstream lost: nothing there is ready to serve", fields)
      } else if wasThere == false {
        log.info("upstream found", fields)
      }
      wasThere = isThere
      health.isThere(isThere, self)
    }
  }

  private var fields: KeyValuePairs<String, LogValue> {
    let names = services.map(\.fullyQualifiedService).sorted()
    return ["upstream": .text(name), "services": .text(names.joined(separator: ","))]
  }
}
