/// The locks through which one process takes part in a private server.
struct HeldLocks: Sendable {
    /// Shared by every user; taken alone, for a moment, to see that there is no other.
    let users: FileLock
    /// Held by the one who stops the server.
    let owner: FileLock
    private let startPath: String

    /// How long to wait for another process that starts or stops the server, in seconds: longer than a start may take.
    static let patience = 360

    /// Opens the files of a home and joins its users. Call it under the start lock, under which alone the users' lock
    /// is ever held exclusively.
    init(joining home: ServerHome) throws(PrivateServerError) {
        users = try FileLock(path: home.usersLock)
        owner = try FileLock(path: home.ownerLock)
        startPath = home.startLock
        guard try users.tryLock(.shared) else {
            throw .unusablePath(path: home.usersLock, reason: "another program holds it locked")
        }
    }

    /// Whether this process is the owner, after trying to become it.
    func becomeOwner() throws(PrivateServerError) -> Bool {
        try owner.tryLock(.exclusive)
    }

    /// Whether nobody else uses the server. Afterwards this process may no longer count as a user.
    func areLast() throws(PrivateServerError) -> Bool {
        try users.tryLock(.exclusive)
    }

    /// The lock for stopping, waited for even in a cancelled task: cancelled tasks are the ones that clean up.
    func lockStart() async throws -> FileLock {
        let starting = try FileLock(path: startPath)
        try await starting.lock(.exclusive, withinSeconds: Self.patience, heedingCancellation: false)
        return starting
    }
}
