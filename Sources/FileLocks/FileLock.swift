import Glibc

/// An open lock file with a `flock(2)` lock.
///
/// The kernel releases the lock when the process ends, in whatever way: what is locked was not left by a process that
/// was killed. Two values on one path exclude each other in one process, too.
package final class FileLock: Sendable {
    /// How a lock is held.
    package enum Mode: Sendable {
        /// With any number of others that share it.
        case shared
        /// Alone.
        case exclusive

        fileprivate var operation: Int32 { self == .shared ? LOCK_SH : LOCK_EX }
    }

    /// A file that cannot be opened or locked.
    package struct Failure: Error, CustomStringConvertible {
        package let path: String
        package let errorNumber: Int32

        /// Whether there is no such file.
        package var isMissing: Bool { errorNumber == ENOENT }

        package var description: String {
            let reason = strerror(errorNumber).map { String(cString: $0) } ?? "error \(errorNumber)"
            return "\(path) cannot be locked: \(reason)."
        }
    }

    package let path: String
    private let descriptor: Int32

    /// Opens the file; holds no lock yet.
    /// - Parameter isMade: whether it is made, with mode 0600, if it is missing.
    /// - Throws: ``Failure``.
    package init(_ path: String, isMade: Bool = true) throws(Failure) {
        self.path = path
        // O_NOFOLLOW: whoever may write to the folder must not be able to point the lock at another file.
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (isMade ? O_CREAT : 0), 0o600)
        guard descriptor >= 0 else { throw Failure(path: path, errorNumber: errno) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        // Closing it is not enough: a child that another thread is starting has copies of all descriptors until it
        // becomes another program, and the lock lives as long as any copy.
        unlock()
        close(descriptor)
    }

    /// Takes the lock, or changes the mode in which it is held, if that needs no waiting. A change that fails may lose
    /// the lock that was held.
    /// - Returns: whether it has the lock.
    /// - Throws: ``Failure``.
    package func tryLock(_ mode: Mode) throws(Failure) -> Bool {
        while flock(descriptor, mode.operation | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return false
            default: throw Failure(path: path, errorNumber: errno)
            }
        }
        return true
    }

    /// Waits for the lock, without giving up the thread: for locks that are held for a moment.
    /// - Throws: ``Failure``.
    package func lock(_ mode: Mode) throws(Failure) {
        while flock(descriptor, mode.operation) != 0 {
            guard errno == EINTR else { throw Failure(path: path, errorNumber: errno) }
        }
    }

    /// Releases the lock; the file stays open.
    package func unlock() {
        flock(descriptor, LOCK_UN)
    }
}
