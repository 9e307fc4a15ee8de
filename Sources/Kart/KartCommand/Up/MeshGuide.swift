import RaceFeeds

/// What `kart up` tells its user once the mesh answers: what runs where, and what to try.
struct MeshGuide: Sendable {
  var plan: MeshPlan
  var folder: StateFolder
  /// How the user calls `kart`.
  var command: String

  var text: String {
    var rows = TextTable(["gateway", plan.listen])
    rows.append(["schedule-service", "unix:\(folder.scheduleSocket)"])
    for number in 1...plan.trackerCount {
      rows.append(["tracker-service \(number)", "unix:\(folder.trackerSocket(number))"])
    }
    rows.append(["databases", folder.data])
    if plan.hasDemo {
      let races = DemoRace.all.map { "\"\($0.name)\"" }.joined(separator: " and ")
      rows.append(["demo feed", races])
    }
    return """
      SwiftKart runs:
      \(rows.text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))

      Try in another terminal:
      \(commands.map { "  \($0)" }.joined(separator: "\n"))

      """
  }

  private var commands: [String] {
    let target = plan.listen == MeshPlan.defaultListen ? "" : " --target \(plan.listen)"
    guard let race = DemoRace.all.first?.name, plan.hasDemo else {
      return [
        "\(command) schedule import races.json\(target)", "\(command) races\(target)",
        "\(command) load races\(target)",
      ]
    }
    return [
      "\(command) races\(target)", "\(command) follow \"\(race)\" --standings\(target)",
      "\(command) load races\(target)",
    ]
  }
}
