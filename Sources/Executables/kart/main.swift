import KartCommand
import KartProcess

Termination.prepare()
KartCommand.command.runAndExit()
