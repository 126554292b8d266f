import Bytes
import Dispatch
import FoundationEssentials
import Glibc

/// One run of a program to its end, in a session of its own and with default signals; nothing on standard input.
///
/// A session of its own, because Ctrl-C in a terminal goes to the whole foreground process group: it would kill an
/// `initdb` half way, and must reach only the process that can stop the server in an orderly way.
struct ChildProcess {
    /// How a run ended.
    struct Outcome: Hashable {
        /// The exit status, or 128 plus the signal's number, as shells count.
        var status: Int32
        /// What was printed to standard output and standard error, at most the last 64 KiB.
        var output: String
    }

    /// The absolute path of the program, then its arguments.
    let command: [String]
    let environment: [String: String]
    /// What errors call it: the program meant, where the command begins with one that changes the user.
    private let name: String

    init(command: [String], name: String? = nil, environment: [String: String]) {
        self.command = command
        self.name = name ?? command.first ?? ""
        self.environment = environment
    }

    /// Runs to the end on a thread that may block. Not cancellable: every program run this way ends by itself.
    func run() async throws(PrivateServerError) -> Outcome {
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: runBlocking()) }
        }
        return try result.get()
    }

    /// Runs, and throws when the program's status is anything but 0.
    @discardableResult
    func runChecked() async throws(PrivateServerError) -> String {
        let outcome = try await run()
        guard outcome.status == 0 else {
            throw .failed(program: name, status: outcome.status, output: outcome.output)
        }
        return outcome.output
    }

    private func runBlocking() -> Result<Outcome, PrivateServerError> {
        // A file without a name rather than a pipe: a server that keeps the descriptor cannot hold up the reader.
        guard let file = tmpfile() else { return .failure(.notStarted(program: name, errorNumber: errno)) }
        defer { fclose(file) }
        var pid: pid_t = 0
        let failure = spawn(&pid, output: fileno(file))
        guard failure == 0 else { return .failure(.notStarted(program: name, errorNumber: failure)) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) == -1 {
            guard errno == EINTR else { return .failure(.notStarted(program: name, errorNumber: errno)) }
        }
        return .success(Outcome(status: Self.shellStatus(status), output: Self.tail(of: fileno(file))))
    }

    private func spawn(_ pid: inout pid_t, output: Int32) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        Self.closeAllOthers(&actions)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        Self.ownSessionAndDefaultSignals(&attributes)
        return withCStrings(command) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
                posix_spawn(&pid, command.first ?? "", &actions, &attributes, arguments, variables)
            }
        }
    }

    // Signals that this process ignores or blocks (a server ignores SIGTERM to handle it its own way) would stay so in
    // the child and in every backend of the server it starts; and a server that lives on would keep open whatever it
    // inherits: sockets, pipes, lock files.
    /// `POSIX_SPAWN_SETSID`, which glibc shows only under `_GNU_SOURCE`, and so not to Swift. Musl has the same.
    private static let newSession: Int32 = 0x80

    private static func ownSessionAndDefaultSignals(_ attributes: inout posix_spawnattr_t) {
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        let signals = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
        posix_spawnattr_setflags(&attributes, Int16(newSession | signals))
    }

    /// The few numbers above the highest are for descriptors that other threads open meanwhile; to close what is
    /// not open is no error here.
    private static func closeAllOthers(_ actions: inout posix_spawn_file_actions_t) {
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let highest = open.compactMap { Int32($0) }.max() ?? 1_023
        for descriptor in STDERR_FILENO + 1...highest + 64 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
    }

    private static func shellStatus(_ status: Int32) -> Int32 {
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    private static func tail(of descriptor: Int32, limit: Int = 65_536) -> String {
        let size = lseek(descriptor, 0, SEEK_END)
        guard size > 0 else { return "" }
        var bytes = [UInt8](repeating: 0, count: min(limit, Int(size)))
        let count = pread(descriptor, &bytes, bytes.count, size - off_t(bytes.count))
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).trimmed
    }
}

/// Calls `body` with a NULL-terminated array of C strings that lives as long as the call.
private func withCStrings<Value>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
) -> Value {
    let pointers = strings.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    return body(pointers)
}

/// `errno` in words.
func describe(errorNumber: Int32) -> String {
    strerror(errorNumber).map { String(cString: $0) } ?? "error \(errorNumber)"
}
