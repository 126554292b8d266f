import TestSupport
import Testing

@testable import Imports
@testable import Service

/// Imports that wait for the log.
@Suite(.hangs)
struct PausedImportTests {
    /// Far more repetitions than the buffers of a connection hold.
    private static let rows = [WrenRow](repeating: WrenRow(id: ""), count: 40_000)

    @Test func `an import that waits holds no snapshot and no transaction`() async throws {
        try await ImportFixture.run { log in
            let file = try log.write("same.csv", WrenRow.file(Self.rows))
            try await log.holding(after: 1_000) { held in
                let importing = Task { try await log.importRows(file) }
                try await held.waitForAppend()
                // The look-ups of chunks that were read before end by themselves.
                try await until("nothing is held") {
                    try await held.sessions("query not like '%log.append%' and (\(Self.holds))") == 0
                }
                #expect(try await held.sessions(HeldLog.waiting) == 1)
                importing.cancel()
                try await held.release()
                _ = await importing.result
            }
        }
    }

    private static let holds = "backend_xmin is not null or backend_xid is not null or xact_start is not null"

    @Test(arguments: [1, 2, 3, 7, 100]) func `repetitions are found whatever the size of a page`(size: Int)
        async throws
    {
        let all = [3, 4, 7, 8, 9, 20].map { RowRepetition(row: $0, ordinal: $0 - 1, hasSameContent: $0 == 7) }
        var repetitions = RowRepetitions(size: size) { row, limit in
            Array(all.filter { $0.row >= row }.prefix(limit))
        }
        for row in 1...25 where row != 5 {
            #expect(try await repetitions.repetition(at: row) == all.first { $0.row == row })
        }
    }
}
