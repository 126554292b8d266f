import Glibc

/// A lock on a file, `flock(2)`. The kernel releases it when the process ends, in whatever way. Two values exclude each
/// other in one process, too.
final class ProcessLock: Sendable {
    private let path: String
    private let descriptor: Int32

    /// Opens the file; takes no lock yet.
    /// - Parameter isMade: whether it is made if it is missing.
    /// - Throws: ``Failure``.
    init(_ path: String, isMade: Bool = true) throws(Failure) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (isMade ? O_CREAT : 0), 0o600)
        guard descriptor >= 0 else { throw Failure(path: path, errorNumber: errno) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        // A child that another thread is starting has a copy of the descriptor for a moment, and closing this one would
        // leave the lock to it.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Waits for the lock, without giving up the thread.
    /// - Throws: ``Failure``.
    func take() throws(Failure) {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Failure(path: path, errorNumber: errno) }
        }
    }

    /// Takes the lock unless another one is held.
    /// - Returns: whether it has it.
    /// - Throws: ``Failure``.
    func tryTake() throws(Failure) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return false
            default: throw Failure(path: path, errorNumber: errno)
            }
        }
        return true
    }

    /// A file that cannot be opened or locked.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let errorNumber: Int32

        var description: String {
            let reason = strerror(errorNumber).map { String(cString: $0) } ?? "error \(errorNumber)"
            return "\(path) cannot be locked: \(reason)"
        }
    }
}
