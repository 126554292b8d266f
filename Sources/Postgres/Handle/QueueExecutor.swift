internal import Dispatch

/// Runs an actor on a serial dispatch queue, so that events of the queue (sources, timers) reach the actor without a
/// hop.
///
/// `DispatchSerialQueue`, which would be such an executor, does not exist on Linux.
final class QueueExecutor: SerialExecutor {
    let queue: DispatchQueue
    private static let current = DispatchSpecificKey<ObjectIdentifier>()

    init(label: String) {
        queue = DispatchQueue(label: label)
        queue.setSpecific(key: Self.current, value: ObjectIdentifier(self))
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Without it `assumeIsolated` would not know that a source's handler runs on our queue.
    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    func isIsolatingCurrentContext() -> Bool? {
        DispatchQueue.getSpecific(key: Self.current) == ObjectIdentifier(self)
    }
}
