import GRPCCore
import KartAPI
import KartProcess

extension FollowRaceRequest {
  // As the schedule has it.
  private static let longestName = 200

  /// The types of event that the request asks for: those that this build knows.
  ///
  /// - Throws: `RPCError` INVALID_ARGUMENT for RACE_EVENT_TYPE_UNSPECIFIED alone.
  func validatedTypes() throws(RPCError) -> Set<RaceEventType> {
    if !eventTypes.isEmpty, eventTypes.allSatisfy({ $0 == .unspecified }) {
      throw RPCError(
        code: .invalidArgument,
        message: "event_types names only RACE_EVENT_TYPE_UNSPECIFIED; name the types to follow.")
    }
    return Set(eventTypes).intersection([.kartLocations, .standings])
  }

  /// The race that the first request of a call names.
  ///
  /// - Throws: `RPCError` INVALID_ARGUMENT where it names none.
  func validatedRaceName() throws(RPCError) -> String {
    guard !raceName.isEmpty else {
      throw RPCError(
        code: .invalidArgument, message: "race_name is empty; name the race to follow.")
    }
    guard raceName.utf8.count <= Self.longestName else {
      throw RPCError(
        code: .invalidArgument,
        message: "race_name has \(raceName.utf8.count) bytes; a race's name has at most "
          + "\(Self.longestName).")
    }
    return raceName
  }

  /// Checks a request that is not the first of its call.
  ///
  /// - Throws: `RPCError` INVALID_ARGUMENT where it names another race.
  func validateIsFor(_ race: String) throws(RPCError) {
    guard raceName.isEmpty || ExactName(raceName) == ExactName(race) else {
      throw RPCError(
        code: .invalidArgument,
        message:
          "race_name is \(raceName.quotedName), and this call follows \(race.quotedName); "
          + "make another call for another race.")
    }
  }
}
