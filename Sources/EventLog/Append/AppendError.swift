package import Postgres

/// Why a command was not appended. In every case but ``unknownOutcome`` nothing of it is in the log.
package enum AppendError: Error, Sendable {
    /// The command's id was used before, by a request that asked for something else.
    case differentRequest
    /// The stream is not at the expected version; it is at this one.
    case conflict(actualVersion: Int)
    /// Another stream holds one of the command's reservations.
    case reserved
    /// Too many commands wait already. Try again in a while.
    case queueFull
    /// The command breaks a limit of the log: no events, a fingerprint of another length than 16, too many bytes.
    case malformed(String)
    /// The database refused the command for what is in it.
    case refused(PostgresError)
    /// The database's clock is further ahead than time can have passed. An operator has to look.
    case clockAhead
    /// The log's epoch changed: it was restored, or the database failed over.
    case epochChanged
    /// The log is shutting down.
    case closed
    /// The database could not be reached in time. Nothing was sent.
    case unavailable
    /// The connection was lost and could not be made again in time. The command may or may not be in the log;
    /// sending it again, with the same id, tells.
    case unknownOutcome
}
