import Domain
import EventLog
import FoundationEssentials
import Postgres
package import Service

/// The parts that every import needs to bring events into the log: the reader, the writer and the signer of commands.
package struct ImportLog: Sendable {
    /// Connections of the service; an import keeps one exclusive connection for itself.
    let pool: PostgresPool
    let appender: Appender
    /// With the key of the log.
    let signer: CommandSigner

    var lookup: StreamLookup { StreamLookup(database: pool) }

    var store: StreamStore { StreamStore(reader: LogReader(pool), appender: appender) }

    /// An operator's command, identified by its subject, so that a second run finds what the first one did.
    func identity(_ command: String, about parts: [String], request: CanonicalText = .empty) -> CommandIdentity {
        signer.identity(
            account: UUID(bytes: []), command: command, key: signer.id(of: [command] + parts),
            request: request, actor: nil)
    }

    /// The outcome of an append.
    enum Outcome: Sendable {
        case appended
        /// The stream has changed since it was read.
        case conflict
        /// The command cannot be recorded because of its content.
        case rejected(String)
    }

    /// Appends, and waits a moment if the queue is full: other writers may share it.
    /// - Throws: `AppendError` if the log accepts no appends at all; `CancellationError`.
    func append(_ command: AppendCommand) async throws -> Outcome {
        while true {
            try Task.checkCancellation()
            do {
                _ = try await appender.append(command)
                return .appended
            } catch {
                switch error {
                case .queueFull: try await Task.sleep(for: .milliseconds(20))
                case .conflict: return .conflict
                case .malformed(let reason): return .rejected(reason)
                case .rejected(let cause): return .rejected("the database rejected it: \(cause)")
                default: throw error
                }
            }
        }
    }
}

extension UseCases {
    /// The log for imports.
    package var imports: ImportLog {
        ImportLog(pool: ground.pool, appender: ground.appender, signer: ground.signer)
    }
}

/// Processes several inputs at once, and settles their results in the order of the inputs.
enum Pipeline {
    /// - Parameters:
    ///   - width: most inputs begun and not yet settled, which bounds the memory used.
    ///   - next: the next input; nil at the end.
    /// - Throws: what the closures throw; work in progress is then cancelled.
    static func run<Input: Sendable, Output: Sendable>(
        width: Int, next: () async throws -> Input?, work: @escaping @Sendable (Input) async throws -> Output,
        settle: (Output) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (Int, Output).self) { group in
            var (started, settled, isAtEnd) = (0, 0, false)
            var waiting: [Int: Output] = [:]
            while !isAtEnd || settled < started {
                if !isAtEnd, started - settled < width {
                    guard let input = try await next() else {
                        isAtEnd = true
                        continue
                    }
                    group.addTask { [started] in (started, try await work(input)) }
                    started += 1
                    continue
                }
                guard let (number, output) = try await group.next() else { break }
                waiting[number] = output
                while let output = waiting.removeValue(forKey: settled) {
                    settled += 1
                    try await settle(output)
                }
            }
        }
    }
}
