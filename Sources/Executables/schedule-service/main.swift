import EventLoop
import KartAPI
import KartProcess
import ScheduleService

Termination.prepare()

let database = Option<String>.text(
  "database", "FILE", default: "schedule.sqlite",
  help: "The SQLite file that holds the schedule; it is made where there is none.")

var command = Command(name: "schedule-service", summary: "Keeps the league's schedule of races.")
command.options = [database] + ServiceProcess.options()
command.run = { arguments in
  let process = try ServiceProcess("schedule-service", arguments)
  let thread = EventLoop(name: "schedule-db")
  let schedule = try Schedule(path: try arguments[database], thread: thread, logger: process.log)
  try await process.serve(
    .init(
      services: [RaceScheduleProvider(schedule: schedule)],
      descriptors: [Swiftkart_Schedule_V1_RaceScheduleService.descriptor],
      files: [File_Swiftkart_Schedule_V1_RaceScheduleService.self]))
  await schedule.close()
}
command.runAndExit()
