/// The faults that are injected.
enum Fault: String, CaseIterable, Sendable {
    /// `pg_terminate_backend`.
    case backendEnded = "backends ended"
    /// PostgreSQL stopped immediately, and started again.
    case serverStopped = "stops of PostgreSQL"
    /// A service killed with SIGKILL, and started again.
    case serviceKilled = "services killed"
    /// A service stopped with SIGSTOP for 2 to 4 seconds.
    case serviceFrozen = "services frozen"
    /// All processes of PostgreSQL stopped with SIGSTOP, for longer than any statement may take.
    case serverFrozen = "freezes of PostgreSQL"
    /// A service's connections to PostgreSQL closed by the network.
    case connectionsCut = "cuts of the network"
    /// A service's connections to PostgreSQL left open, but nothing passes any more.
    case connectionsSilenced = "silences of the network"
    /// `skein rebuild`.
    case modelsRebuilt = "rebuilds"
    /// `skein redact`.
    case eventRedacted = "redactions"
    /// `skein import occurrences`, then `skein import undo`.
    case importUndone = "imports undone"
    /// A transaction that holds its snapshot for 15 seconds.
    case longSnapshot = "long snapshots"
    /// No space left where PostgreSQL and the services write, for 3 seconds.
    case diskFull = "full disks"
}
