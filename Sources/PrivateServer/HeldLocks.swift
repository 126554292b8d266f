import Dispatch
import FileLocks

/// The locks through which one process takes part in a private server.
struct HeldLocks: Sendable {
    /// Shared by every user; taken alone, for a moment, to see that there is no other.
    let users: FileLock
    /// Held by the one who stops the server.
    let owner: FileLock
    private let startPath: String

    /// How long to wait for another process that starts or stops the server, in seconds: longer than a start may take.
    static let startTimeout = 360

    /// Opens the files of a home and joins its users. Call it under the start lock, under which alone the users' lock
    /// is ever held exclusively.
    init(joining home: ServerHome) throws {
        users = try FileLock(home.usersLock)
        owner = try FileLock(home.ownerLock)
        startPath = home.startLock
        guard try users.tryLock(.shared) else {
            throw PrivateServerError.unusablePath(path: home.usersLock, reason: "another program holds it locked")
        }
    }

    /// Whether this process is the owner, after trying to become it.
    func becomeOwner() throws(FileLock.Failure) -> Bool {
        try owner.tryLock(.exclusive)
    }

    /// Whether no other process uses the server. Afterwards this process may no longer count as a user.
    func areLast() throws(FileLock.Failure) -> Bool {
        try users.tryLock(.exclusive)
    }

    /// The lock for stopping, waited for even in a cancelled task: cancelled tasks are the ones that clean up.
    func lockStart() async throws -> FileLock {
        let starting = try FileLock(startPath)
        try await starting.lock(.exclusive, withinSeconds: Self.startTimeout, heedingCancellation: false)
        return starting
    }
}

extension FileLock {
    /// Takes the lock, looking every 20 ms: a blocking `flock` could be neither cancelled nor limited in time.
    func lock(_ mode: Mode, withinSeconds limit: Int, heedingCancellation: Bool = true) async throws {
        let deadline = ContinuousClock.now + .seconds(limit)
        while try !tryLock(mode) {
            guard ContinuousClock.now < deadline else {
                throw PrivateServerError.lockTimedOut(path: path, seconds: limit)
            }
            if heedingCancellation { try Task.checkCancellation() }
            await Self.pause(milliseconds: 20)
        }
    }

    /// Unlike `Task.sleep` a pause in a cancelled task too.
    private static func pause(milliseconds: Int) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { continuation.resume() }
        }
    }
}
