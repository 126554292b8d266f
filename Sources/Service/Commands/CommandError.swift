package import EventLog

/// Why a command came to nothing, other than that its decider refused it.
package enum CommandError: Error, Sendable {
    /// The key was used before, for another request.
    case keyReused
    /// There is no such thing, or it is not the asker's.
    case notFound
    /// The thing has changed since the version the asker named.
    case stale(actualVersion: Int)
    /// The first outcome of this key was withdrawn since.
    case withdrawn
    /// The first outcome of this key was erased since.
    case gone
    /// Another account has the e-mail address.
    case emailTaken
    /// Too much is waiting, or the database is away; nothing was recorded, or sending it again with the same key tells.
    case unavailable(AppendError)
    /// The log refused what we made of the command: a fault of ours, which sending it again does not mend.
    case refused(AppendError)
}
