extension RMonitorRecord {
  /// Reads a record from a line without its end.
  init(_ text: [UInt8], line: Int) throws(RMonitorProblem) {
    let fields = try RMonitorFields(text, line: line)
    switch fields.command {
    case "$F": self = try .heartbeat(Heartbeat(fields))
    case "$A": self = try .competitor(Competitor(fields, transponder: 2, names: 3...4))
    case "$COMP": self = try .competitor(Competitor(fields, transponder: nil, names: 3...4))
    case "$B":
      try fields.require(1)
      self = .run(number: fields[0], description: fields[1])
    case "$C":
      try fields.require(1)
      self = .category(number: fields[0], description: fields[1])
    case "$E":
      try fields.require(2)
      self = .setting(name: fields[0], value: fields[1])
    case "$G":
      try fields.require(4)
      self = try .racePosition(Result(fields, registration: 1, laps: 2, totalTime: 3))
    case "$H": self = try .bestLap(BestLap(fields))
    case "$I": self = .clear
    case "$J": self = try .crossing(Crossing(fields))
    case "$COR":
      try fields.require(4)
      self = try .correction(Result(fields, registration: 0, laps: 2, totalTime: 3))
    case "$RMHL":
      try fields.require(6)
      self = try .lapHistory(Result(fields, registration: 0, laps: 1, totalTime: 5))
    case "$RMS", "$RMLT", "$RMCA": self = .relayNote
    default:
      throw RMonitorProblem(
        line: line, reason: .unknownCommand,
        detail: "\(RMonitorText.excerpt(text)) begins with no known command")
    }
  }
}

extension RMonitorRecord.Heartbeat {
  /// `$F,laps,"ttg","tod","race","flag"`
  fileprivate init(_ fields: RMonitorFields) throws(RMonitorProblem) {
    try fields.require(5)
    timeOfDay = try fields.timeIfAny(2)
    raceTime = try fields.timeIfAny(3)
    flag = fields[4].lowercased()
  }
}

extension RMonitorRecord.Competitor {
  /// `$A,"reg","no",transponder,"first","last","nat",class` or
  /// `$COMP,"reg","no",class,"first","last","nat","extra"`
  fileprivate init(
    _ fields: RMonitorFields, transponder: Int?, names: ClosedRange<Int>
  ) throws(RMonitorProblem) {
    try fields.require(5)
    registration = try fields.registration(0)
    number = fields[1]
    self.transponder = transponder.map { fields[$0] } ?? ""
    name = names.map { fields[$0] }.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension RMonitorRecord.Result {
  /// `$G,pos,"reg",laps,"total"`, `$COR,"reg","no",laps,"total","correction"` or
  /// `$RMHL,"reg","lap","pos","lapTime","flag","total"`
  fileprivate init(
    _ fields: RMonitorFields, registration: Int, laps: Int, totalTime: Int
  ) throws(RMonitorProblem) {
    self.registration = try fields.registration(registration)
    self.laps = try fields.laps(laps)
    self.totalTime = try fields.time(totalTime)
  }
}

extension RMonitorRecord.BestLap {
  /// `$H,pos,"reg",lap,"lapTime"`
  fileprivate init(_ fields: RMonitorFields) throws(RMonitorProblem) {
    try fields.require(4)
    registration = try fields.registration(1)
    lap = try fields.laps(2)
    lapTime = try fields.time(3)
  }
}

extension RMonitorRecord.Crossing {
  /// `$J,"reg","lapTime","total"`
  fileprivate init(_ fields: RMonitorFields) throws(RMonitorProblem) {
    try fields.require(3)
    registration = try fields.registration(0)
    lapTime = try fields.time(1)
    totalTime = try fields.time(2)
  }
}
