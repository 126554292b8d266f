import Foundation
import NIOConcurrencyHelpers
import Postgres

/// The processor time of PostgreSQL's processes, by what they do for Skein, in seconds.
struct BackendTime: Sendable {
    /// The time of the processes that call `log.append`.
    private(set) var append = 0.0
    /// The time of the processes that fold.
    private(set) var folds = 0.0
    /// The time of all processes that serve clients.
    private(set) var all = 0.0

    /// Measures the processes of a database while something runs. It looks ten times a second, so that those that start
    /// or end meanwhile count, too.
    static func during(
        _ body: () async throws -> Void, _ laboratory: Laboratory, database: String
    ) async throws -> BackendTime {
        try await laboratory.withConnection(try laboratory.owner(database)) { connection in
            let meter = NIOLockedValueBox(Meter())
            try await sample(meter, connection, isFirst: true)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await keepSampling(meter, laboratory, database) }
                defer { group.cancelAll() }
                try await body()
            }
            try await sample(meter, connection)
            return meter.withLockedValue(\.total)
        }
    }

    /// Looks until it is cancelled.
    private static func keepSampling(
        _ meter: NIOLockedValueBox<Meter>, _ laboratory: Laboratory, _ database: String
    ) async throws {
        try await laboratory.withConnection(try laboratory.owner(database)) { connection in
            while !Task.isCancelled {
                try? await sample(meter, connection)
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    private static func sample(
        _ meter: NIOLockedValueBox<Meter>, _ connection: PostgresConnection, isFirst: Bool = false
    ) async throws {
        let rows = try await connection.query(
            """
            select pid, case when query like '%log.append(%' then 'append'
                             when query like '%model.advance%' or query like '%model.look(%' then 'folds'
                             else '' end as work
              from pg_stat_activity
             where datname = current_database() and backend_type = 'client backend'
               -- Not those that look.
               and query not like '%pg_stat_activity%'
            """
        ).rows
        for row in rows {
            let process: Int32 = try row.decode("pid")
            guard let time = ProcessorTime.seconds(of: process) else { continue }
            let work: String = try row.decode("work")
            meter.withLockedValue { meter in
                meter.processes[process, default: Meter.Process(start: isFirst ? time : 0)].look(time, work)
            }
        }
    }

    private struct Meter {
        struct Process {
            let start: Double
            var end = 0.0
            /// `append` or `folds`: the last of the two that it was seen doing.
            var work = ""

            init(start: Double) { self.start = start }

            mutating func look(_ time: Double, _ work: String) {
                end = time
                if !work.isEmpty { self.work = work }
            }
        }

        var processes: [Int32: Process] = [:]

        var total: BackendTime {
            processes.values.reduce(into: BackendTime()) { total, process in
                total.all += process.end - process.start
                switch process.work {
                case "append": total.append += process.end - process.start
                case "folds": total.folds += process.end - process.start
                default: break
                }
            }
        }
    }
}
