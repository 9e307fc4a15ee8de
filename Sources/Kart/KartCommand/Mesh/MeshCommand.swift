import FoundationEssentials
import GRPCCore
import GRPCHTTP2Transport
import KartAPI
import KartProcess

/// `kart mesh`: what goes on between a gateway and the services behind it.
enum MeshCommand {
  private static let admin = Option<String>.text(
    "admin", "ADDRESS",
    help:
      "The gateway's admin socket, such as unix:/run/kart/admin.sock; that of `kart up` in its usual "
      + "folder where neither this nor --state is given."
  ).optional
  private static let state = Option<String>.text(
    "state", "DIR", help: "The state folder of a `kart up`."
  ).optional
  private static let live = Option<Bool>.flag(
    "live", help: "Goes on until it is interrupted, and shows changes each second.")

  static var command: Command {
    var command = Command(name: "mesh", summary: "Shows what goes on inside a mesh.")
    command.subcommands = [status]
    return command
  }

  private static var status: Command {
    var command = Command(
      name: "status",
      summary:
        "Shows the services behind a gateway: where they are, how they fare, and who gets the calls."
    )
    command.discussion = """
      The gateway tells it on its admin socket (gateway --admin), which only its owner can open.
      Of each endpoint the table shows how many calls were sent there and how many of those failed, be it
      with NOT_FOUND; how often it was taken out for that; and how many connections were made, were lost
      and could not be made. The counts begin with the gateway, and outlive the services behind it.
      """
    command.options = [admin, state, live, JSONOutput.option]
    command.run = { arguments in
      let isLive = try arguments[live]
      let isJSON = try arguments[JSONOutput.option]
      let draws =
        isLive && !isJSON
        && TerminalScreen.isTerminal(ProcessInfo.processInfo.environment)
      let address = try address(arguments)
      let end: Void? = try await GatewayConnection.run(address) { client in
        var screen = TerminalScreen()
        repeat {
          let status = try await ask(client, at: address)
          if isJSON {
            try StandardOutput.write("\(status.jsonString())\n")
          } else if draws {
            let size = TerminalScreen.size
            // The cursor rests on the line below the last.
            let lines = MeshTable.lines(status, width: size.columns, height: size.rows - 1)
            try StandardOutput.write(screen.frame(lines))
          } else {
            try StandardOutput.write(MeshTable.text(status))
          }
          if isLive { try await Task.sleep(for: .seconds(1)) }
        } while isLive
      }
      // A look that goes on for ever is ended by a signal.
      if end == nil, !isLive { throw Interrupted() }
    }
    return command
  }

  private static func ask(
    _ client: GatewayConnection.Client, at address: String
  ) async throws -> Swiftkart_Mesh_V1_GetStatusResponse {
    do {
      return try await Swiftkart_Mesh_V1_MeshAdminService.Client(wrapping: client)
        .getStatus(.init(), options: GatewayConnection.callOptions)
    } catch let error as RPCError where error.code == .unavailable {
      throw NotThere(address: address, reason: error.message)
    }
  }

  private static func address(_ arguments: Arguments) throws -> String {
    if let address = try arguments[admin] { return address }
    let folder =
      try arguments[state] ?? UpCommand.defaultState(ProcessInfo.processInfo.environment)
    return "unix:\(StateFolder.adminSocket(in: StateFolder.absolute(folder)))"
  }

  private struct NotThere: Error, CustomStringConvertible {
    var address: String
    var reason: String

    var description: String {
      "no gateway answers at \(address) (\(reason)); name its admin socket with --admin, or the folder of "
        + "`kart up` with --state"
    }
  }
}
