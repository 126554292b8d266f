import Dispatch

/// Runs an actor on a serial queue of its own, where it may block.
///
/// `DispatchSerialQueue`, which would be such an executor, does not exist on Linux.
final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue
    private static let current = DispatchSpecificKey<ObjectIdentifier>()

    /// - Parameter label: the queue's name in debuggers.
    init(label: String) {
        queue = DispatchQueue(label: label)
        queue.setSpecific(key: Self.current, value: ObjectIdentifier(self))
    }

    /// Runs work when its turn comes.
    func execute(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// Runs a job of the actor when its turn comes.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        execute { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Without it `assumeIsolated` would not know that what ``execute(_:)`` runs is on our queue.
    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    /// Whether this is the queue.
    func isIsolatingCurrentContext() -> Bool? {
        DispatchQueue.getSpecific(key: Self.current) == ObjectIdentifier(self)
    }
}
