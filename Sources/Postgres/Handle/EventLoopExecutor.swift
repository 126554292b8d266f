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

    /// Runs work on any of them after a time.
    static func execute(after time: Duration, _ work: @escaping @Sendable () -> Void) {
        MultiThreadedEventLoopGroup.singleton.any().execute(after: time, work)
    }
}

extension EventLoop {
    /// Runs work on the loop after a time; anything longer than a century counts as one.
    func execute(after time: Duration, _ work: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = time.components
        let nanoseconds = min(max(seconds, 0), 3_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
        scheduleTask(in: .nanoseconds(nanoseconds), work)
    }
}
