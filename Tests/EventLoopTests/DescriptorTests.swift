import CLinux
import Glibc
import Synchronization
import Testing

@testable import EventLoop

@Suite struct DescriptorTests {
  /// `@unchecked Sendable` holds because the loop alone calls it, once a test has set it up.
  private final class Handler: DescriptorHandler, @unchecked Sendable {
    var onReady: (Readiness) -> Void = { _ in }
    func descriptorIsReady(_ readiness: Readiness) { onReady(readiness) }
  }

  /// Gives `body` a pipe, of which it must close the writing end.
  private func withPipe(_ body: (_ reader: Int32, _ writer: Int32) async -> Void) async {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    await body(ends[0], ends[1])
    close(ends[0])
  }

  @Test func theHandlerIsToldOfBytesAndOfTheEnd() async {
    await withLoop { loop in
      await withPipe { reader, writer in
        let handler = Handler()
        let seen: [Readiness] = await withCheckedContinuation { done in
          loop.execute {
            var seen: [Readiness] = []
            let registration = try? loop.register(reader, for: .readable, handler: handler)
            handler.onReady = { readiness in
              seen.append(readiness)
              if readiness.contains(.readable) {
                var byte: UInt8 = 0
                read(reader, &byte, 1)
                close(writer)
              } else {
                if let registration { loop.deregister(registration) }
                done.resume(returning: seen)
              }
            }
            write(writer, "x", 1)
          }
        }
        #expect(seen == [.readable, .hangUp])
      }
    }
  }

  @Test func aDeregisteredHandlerIsNotToldOfWhatWasAlreadyFetched() async {
    await withLoop { loop in
      await withPipe { reader, writer in
        let second = dup(reader)
        let told = Atomic<Int>(0)
        await withCheckedContinuation { done in
          loop.execute {
            // Both are ready in one tick; whoever comes first removes the other.
            let handlers = [Handler(), Handler()]
            var registrations: [DescriptorRegistration] = []
            for (handler, descriptor) in zip(handlers, [reader, second]) {
              handler.onReady = { _ in
                told.wrappingAdd(1, ordering: .relaxed)
                for registration in registrations { loop.deregister(registration) }
                loop.execute { done.resume() }
              }
              if let made = try? loop.register(descriptor, for: .readable, handler: handler) {
                registrations.append(made)
              }
            }
            write(writer, "x", 1)
          }
        }
        let count = told.load(ordering: .relaxed)
        #expect(count == 1)
        close(second)
        close(writer)
      }
    }
  }

  @Test func aDescriptorThatEpollRefusesIsAnError() async {
    await withLoop { loop in
      let error: SystemError? = await withCheckedContinuation { done in
        loop.execute {
          do throws(SystemError) {
            _ = try loop.register(-1, for: .readable, handler: Handler())
            done.resume(returning: nil)
          } catch {
            done.resume(returning: error)
          }
        }
      }
      #expect(error?.code == EBADF)
      #expect(error?.description == "epoll_ctl: Bad file descriptor")
    }
  }

  @Test func slotsAreUsedAgainUnderAnotherGeneration() {
    var table = DescriptorTable()
    let first = Handler()
    let second = Handler()
    let old = table.insert(7, first)
    let removed = table.remove(old)
    #expect(removed)
    let new = table.insert(7, second)
    #expect(new.slot == old.slot)
    #expect(table.handler(token: old.token) == nil)
    #expect(table.handler(token: new.token) === second)
    let removedAgain = table.remove(old)
    #expect(!removedAgain)
  }
}
