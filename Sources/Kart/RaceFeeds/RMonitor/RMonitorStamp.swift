import RaceControl

/// A relay's receive stamp: `##YYYY-MM-DD HH:MM:SS.mmm`, UTC.
enum RMonitorStamp {
  static func read(_ text: [UInt8], line: Int) -> RMonitorLine.Content {
    let parts = RMonitorText.decode(text[2...]).split(separator: " ")
    guard parts.count == 2, let days = days(parts[0]),
      let time = RMonitorTime.read(String(parts[1])), time >= .zero
    else {
      return .problem(
        RMonitorProblem(
          line: line, reason: .invalidTime,
          detail: "\(RMonitorText.excerpt(text)) is no stamp ##YYYY-MM-DD HH:MM:SS.mmm"))
    }
    return .stamp(UTCInstant(sinceEpoch: .seconds(days * 86_400) + time))
  }

  /// Days since 1970-01-01 of a date in the Gregorian calendar.
  private static func days(_ date: Substring) -> Int64? {
    let parts = date.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = Int64(parts[0]), let month = Int64(parts[1]),
      let day = Int64(parts[2]), (1...9999).contains(year), (1...12).contains(month),
      (1...31).contains(day)
    else { return nil }
    // Years begin in March here, so that the leap day is the last of its year.
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }
}
