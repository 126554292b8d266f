import Domain
import EventLog
import Foundation
import NIOConcurrencyHelpers
import Postgres
import TestSupport
import Testing

@testable import Imports
@testable import Service

struct ImportRecoveryTests {
    private static let rows: [WrenRow] = WrenRow.many(5000).map { row in
        var row = row
        if row.id.hasSuffix("7") { row.id = "" }
        if row.id.hasSuffix("99") { row.date = "" }
        return row
    }

    /// Imports, and cancels the import when so many events are in the log.
    private static func stopHalfWay(_ log: ImportFixture, _ file: String) async throws {
        try await log.stopping(after: 1_500) { _ = try await log.importRows(file) { $0.replace = true } }
    }

    @Test func `stopped half way and started again, the log says what it would have said`() async throws {
        let expected = NIOLockedValueBox<([UUID: [String]], OccurrenceImportSummary?)>(([:], nil))
        try await ImportFixture.run { log in
            let file = try log.write("many.csv", WrenRow.file(Self.rows))
            let summary = try await log.importRows(file) { $0.replace = true }
            let history = try await log.history()
            expected.withLockedValue { $0 = (history, summary) }
        }
        try await ImportFixture.run { log in
            let file = try log.write("many.csv", WrenRow.file(Self.rows))
            try await Self.stopHalfWay(log, file)
            let head = try await log.head()
            #expect(head > 100 && head < 5000)
            let summary = try await log.importRows(file) { $0.replace = true }
            let (history, whole) = expected.withLockedValue { $0 }
            #expect(try await log.history() == history)
            let uninterrupted = try #require(whole)
            #expect(summary.accepted == uninterrupted.accepted && summary.known == uninterrupted.known)
            #expect(summary.rejected == uninterrupted.rejected && summary.corrected == 0)
            #expect(try await log.stagingTables() == 0)
        }
    }

    @Test func `a dataset has one import at a time; what a crash left is swept away by the next`() async throws {
        try await ImportFixture.run { log in
            let file = try log.write("a.csv", WrenRow.file([WrenRow()]))
            let id = DatasetID(log.log.signer.id(of: "dataset", ImportFixture.title))
            try await log.pool.query("create schema import_staging")
            for table in ["rows_abandoned", "repetitions_abandoned", "repetitions_\(id)", "repetitions_busy"] {
                try await log.pool.query("create unlogged table import_staging.\(identifier: table) (row bigint)")
            }
            try await log.pool.withExclusive { connection in
                let name = "import rows_\(id)"
                try await connection.query("select pg_advisory_lock(hashtextextended(\(name), 0))")
                await #expect(throws: ImportError.alreadyRunning(id)) { try await log.importRows(file) }
                try await connection.query("select pg_advisory_unlock_all()")
            }
            try await log.pool.withExclusive { connection in
                try await connection.query("select pg_advisory_lock(hashtextextended('import rows_busy', 0))")
                #expect(try await log.importRows(file).accepted == 1)
                #expect(try await log.stagingTables() == 1)
                try await connection.query("select pg_advisory_unlock_all()")
            }
            #expect(try await log.importRows(file).known == 1)
            #expect(try await log.stagingTables() == 0)
        }
    }

    @Test func `a record withdrawn for privacy stays so, and its row is rejected`() async throws {
        try await ImportFixture.run { log in
            let file = try log.write("a.csv", WrenRow.file(WrenRow.many(2)))
            try await log.importRows(file)
            let stream = try #require(try await log.sightings().keys.first)
            let command = AppendCommand(
                stream: stream, kind: "sighting", expectedVersion: 1, id: UUID(),
                fingerprint: [UInt8](repeating: 1, count: 16), actor: nil,
                events: [.init(type: "SightingWithdrawn", payload: #"{"reason":"privacy"}"#)])
            _ = try await log.appender.append(command)
            let summary = try await log.importRows(file)
            #expect(summary.known == 1 && summary.rejected == ["withdrawn-for-privacy": 1])
            #expect(try await log.standing().count == 1)
        }
    }
}
