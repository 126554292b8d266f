import Domain
import Foundation
import Testing

@testable import Imports
@testable import Service

/// A replacement that may be a mistake changes nothing without consent.
struct ReplacementTests {
    /// Expects that an import is stopped, and that nothing at all has happened.
    private func expectStop(
        _ log: ImportFixture, _ file: String, _ replacement: Replacement
    ) async throws {
        let head = try await log.head()
        await #expect(throws: ImportError.needsConsent(replacement)) {
            try await log.importRows(file) { $0.replace = true }
        }
        #expect(try await log.head() == head)
        #expect(!FileManager.default.fileExists(atPath: file + ".refused.csv"))
        #expect(try await log.stagingTables() == 0)
    }

    @Test func `a tenth of the records may go, more only with consent`() async throws {
        try await ImportFixture.run { log in
            let rows = WrenRow.many(20)
            try await log.importRows(try log.write("all.csv", WrenRow.file(rows)))
            // Rows that are new, or rejected, do not make up for those that are gone.
            let new = (0..<30).map { WrenRow(id: "n\($0)") } + [WrenRow(id: "bad", date: "never")]
            let less = try log.write("less.csv", WrenRow.file(Array(rows[3...]) + new))
            try await expectStop(log, less, Replacement(records: 20, withdrawn: 3, rows: 48))
            let dry = try await log.importRows(less) { ($0.replace, $0.dryRun) = (true, true) }
            #expect(dry.withdrawn == 3 && dry.warnings.contains { $0.contains("--yes") })
            let done = try await log.importRows(less) { ($0.replace, $0.isConfirmed) = (true, true) }
            #expect(done.withdrawn == 3 && done.accepted == 30)
            // 47 records are left, of which 4 are less than a tenth; those withdrawn before do not count.
            let fewer = try log.write("fewer.csv", WrenRow.file(Array(rows[7...]) + new))
            #expect(try await log.importRows(fewer) { $0.replace = true }.withdrawn == 4)
        }
    }

    @Test func `a file without rows withdraws nothing without consent`() async throws {
        try await ImportFixture.run { log in
            let empty = try log.write("empty.csv", WrenRow.file([]))
            try await expectStop(log, empty, Replacement(records: 0, withdrawn: 0, rows: 0))
            try await log.importRows(try log.write("all.csv", WrenRow.file(WrenRow.many(3))))
            try await expectStop(log, empty, Replacement(records: 3, withdrawn: 3, rows: 0))
            let nothing = try log.write("nothing.csv", [])
            await #expect(throws: (any Error).self) { try await log.importRows(nothing) { $0.replace = true } }
            #expect(try await log.standing().count == 3)
            #expect(
                "\(ImportError.needsConsent(Replacement(records: 3, withdrawn: 3, rows: 0)))".contains(
                    "the file has no rows, and --replace would withdraw 3 of the 3 records"))
            let summary = try await log.importRows(empty) { ($0.replace, $0.isConfirmed) = (true, true) }
            #expect(summary.withdrawn == 3)
        }
    }

    @Test func `equal rows without ids count each`() async throws {
        try await ImportFixture.run { log in
            let rows = (0..<12).map { _ in WrenRow(id: "") } + (0..<8).map { WrenRow(id: "w\($0)") }
            let file = try log.write("all.csv", WrenRow.file(rows))
            try await log.importRows(file)
            #expect(try await log.importRows(file) { $0.replace = true }.withdrawn == 0)
            let two = try log.write("two.csv", WrenRow.file(Array(rows[2...])))
            #expect(try await log.importRows(two) { $0.replace = true }.withdrawn == 2)
            let three = try log.write("three.csv", WrenRow.file(Array(rows[5...])))
            try await expectStop(log, three, Replacement(records: 18, withdrawn: 3, rows: 15))
        }
    }

    @Test func `when every row is rejected the import says so`() async throws {
        try await ImportFixture.run { log in
            let rows = [WrenRow(id: "a", date: ""), WrenRow(id: "b", latitude: "")]
            let all = try await log.importRows(try log.write("bad.csv", WrenRow.file(rows)))
            #expect(all.isRejected && all.rejectedTotal == 2)
            let some = try await log.importRows(try log.write("some.csv", WrenRow.file(rows + [WrenRow()])))
            #expect(!some.isRejected)
            #expect(try await !log.importRows(try log.write("empty.csv", WrenRow.file([]))).isRejected)
        }
    }
}
