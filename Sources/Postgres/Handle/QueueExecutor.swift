internal import Dispatch

/// Runs an actor on a serial dispatch queue, so that events of the queue (sources, timers) reach the actor without a
/// hop.
///
/// `DispatchSerialQueue`, which would be such an executor, does not exist on Linux.
package final class QueueExecutor: SerialExecutor {
    let queue: DispatchQueue
    /// For tasks that talk to the actor all the time: they run on its queue, and need no other thread to wake up.
    package let tasks: any TaskExecutor
    private static let current = DispatchSpecificKey<ObjectIdentifier>()

    /// - Parameter label: the queue's name in debuggers.
    package init(label: String) {
        queue = DispatchQueue(label: label)
        tasks = QueueTaskExecutor(queue: queue)
        queue.setSpecific(key: Self.current, value: ObjectIdentifier(self))
    }

    /// Runs a job of the actor when its turn comes.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Without it `assumeIsolated` would not know that a source's handler runs on our queue.
    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    /// Whether this is the queue.
    package func isIsolatingCurrentContext() -> Bool? {
        DispatchQueue.getSpecific(key: Self.current) == ObjectIdentifier(self)
    }
}

/// Runs tasks on a dispatch queue.
private final class QueueTaskExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(queue: DispatchQueue) {
        self.queue = queue
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
