/// The bounds of batching and queueing.
package struct AppendLimits: Sendable {
    /// Commands in one call, at most.
    package var batchCommands: Int
    /// Bytes in one call, at most (a single larger command travels alone).
    package var batchBytes: Int
    /// Commands waiting, at most; more are turned away.
    package var queuedCommands: Int
    /// Bytes of the commands waiting, at most; more are turned away.
    package var queuedBytes: Int
    /// Bytes of a single command, at most.
    package var commandBytes: Int
    /// How long appending may fail before everything that waits is given up.
    package var patience: Duration

    /// The bounds; those not given are fit for one process and one database.
    package init(
        batchCommands: Int = 300, batchBytes: Int = 2 << 20, queuedCommands: Int = 10_000,
        queuedBytes: Int = 64 << 20, commandBytes: Int = 1 << 20, patience: Duration = .seconds(20)
    ) {
        self.batchCommands = batchCommands
        self.batchBytes = batchBytes
        self.queuedCommands = queuedCommands
        self.queuedBytes = queuedBytes
        self.commandBytes = commandBytes
        self.patience = patience
    }
}
