import Dispatch
import Glibc

/// An open lock file with a `flock(2)` lock.
///
/// The kernel gives the lock back when the last descriptor closes, however the process ends; that is what lets a
/// server left by a kill -9 be recognised. Two `FileLock`s on one path count as two holders, in one process too.
final class FileLock: Sendable {
    /// How a lock is held.
    enum Mode: Sendable {
        /// With any number of others that share it.
        case shared
        /// Alone.
        case exclusive
    }

    let path: String
    private let descriptor: Int32

    /// Opens the file, made with mode 0600 when it is missing; holds no lock yet.
    init(path: String) throws(PrivateServerError) {
        // O_NOFOLLOW: whoever may write to the folder must not be able to point the lock at another file.
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        self.path = path
        guard descriptor >= 0 else { throw .unusablePath(path: path, reason: describe(errorNumber: errno)) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        // Closing alone would not do: a child that another thread is starting has copies of all descriptors until it
        // becomes another program, and the lock lives as long as any copy.
        unlock()
        close(descriptor)
    }

    /// Takes the lock, or changes the mode it is held in, if that needs no waiting. A change that fails may lose the
    /// lock that was held.
    func tryLock(_ mode: Mode) throws(PrivateServerError) -> Bool {
        let operation = (mode == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB
        while flock(descriptor, operation) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return false
            default: throw .unusablePath(path: path, reason: describe(errorNumber: errno))
            }
        }
        return true
    }

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

    /// Gives the lock back; the file stays open.
    func unlock() {
        flock(descriptor, LOCK_UN)
    }

    /// Unlike `Task.sleep` a pause in a cancelled task too.
    private static func pause(milliseconds: Int) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { continuation.resume() }
        }
    }
}

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

    /// Whether no other process uses the server. Afterwards this process may no longer count as a user.
    func areLast() throws(PrivateServerError) -> Bool {
        try users.tryLock(.exclusive)
    }

    /// The lock for stopping, waited for even in a cancelled task: cancelled tasks are the ones that clean up.
    func lockStart() async throws -> FileLock {
        let starting = try FileLock(path: startPath)
        try await starting.lock(.exclusive, withinSeconds: Self.startTimeout, heedingCancellation: false)
        return starting
    }
}
