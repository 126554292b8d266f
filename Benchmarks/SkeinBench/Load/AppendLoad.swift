import EventLog
import Foundation
import Logging
import Postgres

/// Events appended through one ``Appender``, and the same rows through plain INSERTs over the same client.
struct AppendLoad: Sendable {
    /// Commands in a batch.
    static let batch = 300
    /// Commands under way at a time: two batches, so that the next fills while one is in flight.
    static let lanes = batch * 2
    private let account = UUID()

    /// Submissions of one event each, with real payloads and nothing beside the log.
    func commands(_ count: Int) throws -> [AppendCommand] {
        try (0..<count).map(command)
    }

    /// One of them.
    func command(_ number: Int) throws -> AppendCommand {
        let id = CommandID.derive(account: account, command: "submit", key: UUID())
        let payload = try SamplePayload.submitted(
            observer: account, latitude: 47 + Double(number % 9_973) / 10_000,
            longitude: -122 - Double(number % 9_967) / 10_000)
        return AppendCommand(
            stream: CommandID.stream(kind: "sighting", of: id), kind: "sighting", expectedVersion: 0, id: id,
            fingerprint: Array(id.bytes.reversed()), actor: account,
            events: [.init(type: "SightingSubmitted", payload: payload)])
    }

    /// Appends all commands with two batches of them in progress, so that the next fills while one is in flight.
    /// - Returns: events a second, and the mean size of the batches.
    func append(
        _ commands: [AppendCommand], to database: PostgresConfiguration, logger: Logger
    ) async throws -> (rate: Double, batch: Double) {
        try await Self.withAppender(to: database, logger: logger) { appender in
            let took = try await Self.timed { try await submit(commands, to: appender) }
            let statistics = appender.statistics
            return (
                Double(commands.count) / took.seconds,
                Double(statistics.commands) / Double(max(1, statistics.batches))
            )
        }
    }

    /// Runs something with an appender at work.
    static func withAppender<Value>(
        to database: PostgresConfiguration, logger: Logger, _ body: (Appender) async throws -> Value
    ) async throws -> Value {
        let limits = AppendLimits { $0.batchCommands = batch }
        let appender = Appender(configuration: database, limits: limits, head: HeadSignal(), logger: logger)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await appender.run() }
            let result: Result<Value, any Error>
            do { result = .success(try await body(appender)) } catch { result = .failure(error) }
            appender.close()
            try await group.waitForAll()
            return try result.get()
        }
    }

    private func submit(_ commands: [AppendCommand], to appender: Appender) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<Self.lanes {
                group.addTask {
                    for number in stride(from: lane, to: commands.count, by: Self.lanes) {
                        _ = try await appender.append(commands[number])
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Inserts the same rows in batches of the same size: both tables in one statement, one commit, one round trip.
    /// - Returns: events a second.
    func insert(
        _ commands: [AppendCommand], over connection: PostgresConnection, by size: Int = batch
    ) async throws -> Double {
        let row = try await connection.query("select coalesce(max(position), 0) as last from reference.events")
            .onlyRow()
        var position: Int64 = try row.decode("last")
        let took = try await Self.timed {
            for start in stride(from: 0, to: commands.count, by: size) {
                let batch = commands[start..<min(start + size, commands.count)]
                try await connection.query(Self.insertion(batch, after: position))
                position += Int64(batch.count)
            }
        }
        return Double(commands.count) / took.seconds
    }

    private static func insertion(_ batch: ArraySlice<AppendCommand>, after position: Int64) -> SQL {
        let positions = (1...Int64(batch.count)).map { position + $0 }
        let streams = batch.map(\.stream)
        return """
            with new_streams as (
                insert into reference.streams (id, kind, version, first_position)
                select * from unnest(\(streams), \(batch.map(\.kind)), \(batch.map { _ in Int32(1) }), \(positions))
            )
            insert into reference.events
                (position, stream, version, type, command, fingerprint, actor, recorded_at, nonce, payload)
            select position, stream, 1, type, command, fingerprint, actor, clock_timestamp(), nonce, payload::json
              from unnest(\(positions), \(streams), \(batch.map { $0.events[0].type }), \(batch.map(\.id)),
                          \(batch.map(\.fingerprint)), \(batch.map { $0.actor ?? $0.id }), \(batch.map { _ in UUID() }),
                          \(batch.map { $0.events[0].payload }))
                as e (position, stream, type, command, fingerprint, actor, nonce, payload)
            """
    }

    static func timed(_ body: () async throws -> Void) async rethrows -> Duration {
        let start = ContinuousClock.now
        try await body()
        return start.duration(to: .now)
    }
}

extension Duration {
    /// As a number of seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
