package import NIOCore
import NIOPosix

/// Runs tasks on an event loop.
package final class EventLoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    package init(_ loop: any EventLoop) {
        self.loop = loop
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// The event loops of the process: those on which requests are served, and connections live.
enum EventLoops {
    static let all = MultiThreadedEventLoopGroup.singleton.makeIterator().map { $0 }

    /// Runs work at a moment, on any of them.
    static func execute(at deadline: ContinuousClock.Instant, _ work: @escaping @Sendable () -> Void) {
        _ = MultiThreadedEventLoopGroup.singleton.any().schedule(at: deadline, work)
    }
}

extension EventLoop {
    /// Runs work on the loop after a time.
    func execute(after time: Duration, _ work: @escaping @Sendable () -> Void) {
        scheduleTask(in: TimeAmount(time), work)
    }

    /// Runs work on the loop at a moment, unless that is cancelled; at once if the moment has passed.
    func schedule(at deadline: ContinuousClock.Instant, _ work: @escaping @Sendable () -> Void) -> Scheduled<Void> {
        scheduleTask(in: TimeAmount(ContinuousClock.now.duration(to: deadline)), work)
    }
}
