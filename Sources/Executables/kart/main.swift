import KartCommand
import KartProcess

Termination.prepare()
await KartCommand.command.runAndExit()
