import Domain
import EventLog
import Foundation
import NIOConcurrencyHelpers
import Postgres
import ReadModels
import TestSupport
import Testing

@testable import Imports
@testable import Service

/// Undoing an import restores the state before it.
struct ImportUndoTests {
    @Test func `new, corrected, withdrawn and restored records are as they were`() async throws {
        try await ImportFixture.run { log in
            let rows = WrenRow.many(6)
            try await log.importRows(try log.write("a.csv", WrenRow.file(rows)))
            let few = try log.write("b.csv", WrenRow.file(Array(rows[..<5])))
            try await log.importRows(few) { ($0.replace, $0.isConfirmed) = (true, true) }
            let before = try await log.sightings()
            var changed = Array(rows[1...]) + [WrenRow(id: "new")]
            (changed[0].count, changed[0].name, changed[0].site) = ("999", "Troglodytes hiemalis", "south")
            let wrong = try log.write("c.csv", WrenRow.file(changed))
            let batch = try await log.importRows(wrong) { ($0.replace, $0.isConfirmed) = (true, true) }.batch

            let undone = try await ImportUndo(log: log.log).run(batch)
            #expect(undone.withdrawn == 2 && undone.setBack == 1 && undone.broughtBack == 1 && undone.left == 0)
            #expect(undone.changed == 4 && !undone.isRepetition)
            let streams = try await log.streams()
            let after = try await log.sightings()
            for (stream, state) in before {
                #expect(after[stream]?.record == state.record && after[stream]?.status == state.status)
                #expect(after[stream]?.withdrawal == state.withdrawal)
            }
            let new = try #require(streams["new"])
            #expect(after[new]?.status == .withdrawn && after[new]?.withdrawal == .undone)
            let newest = try await log.newestRows()
            let corrected = try #require(streams["w1"])
            #expect(newest[corrected]?.contains("north") == true && newest[corrected]?.contains("999") == false)

            let head = try await log.head()
            let again = try await ImportUndo(log: log.log).run(batch)
            #expect(again.isRepetition && again.changed == 0 && again.withdrawn == 2 && again.setBack == 1)
            #expect(again.description.contains("nothing to do"))
            #expect(try await log.head() == head, "a second undo appends nothing")
        }
    }

    @Test func `the file of an undone import may come in again, which is how an undo is undone`() async throws {
        try await ImportFixture.run { log in
            let rows = WrenRow.many(20)
            try await log.importRows(try log.write("a.csv", WrenRow.file(rows)))
            var corrected = rows
            corrected[0].count = "1000"
            let file = try log.write("b.csv", WrenRow.file(corrected + [WrenRow(id: "new")]))
            let wrong = try await log.importRows(file)
            let wanted = try await log.standing().map(\.occurrence?.text)
            _ = try await ImportUndo(log: log.log).run(wrong.batch)
            let again = try await log.importRows(file)
            #expect(again.batch != wrong.batch && again.corrected == 1 && again.accepted == 1 && again.known == 19)
            #expect(Set(try await log.standing().map(\.occurrence?.text)) == Set(wanted))
        }
    }

    @Test func `records that have changed since are left and listed, also when it is repeated`() async throws {
        try await ImportFixture.run { log in
            let first = try await log.importRows(try log.write("a.csv", WrenRow.file(WrenRow.many(5))))
            let streams = try await log.streams()
            let (later, judged) = (try #require(streams["w0"]), try #require(streams["w1"]))
            let second = try await log.importRows(
                try log.write("b.csv", WrenRow.file([WrenRow(id: "w0", count: "77")])))
            try await log.judge(judged, .reject)
            let seen = NIOLockedValueBox<Set<LeftRecord>>([])
            let undone = try await ImportUndo(log: log.log).run(first.batch) { left in
                seen.withLockedValue { _ = $0.insert(left) }
            }
            #expect(undone.withdrawn == 3 && undone.left == 2)
            let left: Set = [
                LeftRecord(id: SightingID(later), cause: .changed(.laterImport(second.batch))),
                LeftRecord(id: SightingID(judged), cause: .changed(.moderated)),
            ]
            #expect(seen.withLockedValue { $0 } == left)
            let head = try await log.head()
            #expect(try await ImportUndo(log: log.log).run(first.batch).left == 2)
            #expect(try await log.head() == head)
            // What was in the way is gone: a repetition takes the rest.
            #expect(try await ImportUndo(log: log.log).run(second.batch).setBack == 1)
            let rest = try await ImportUndo(log: log.log).run(first.batch)
            #expect(rest.changed == 1 && rest.withdrawn == 4 && rest.left == 1)
        }
    }

    @Test func `a record whose event the log rejects is left and listed, and the others are restored`() async throws {
        try await ImportFixture.run { log in
            let batch = try await log.importRows(try log.write("a.csv", WrenRow.file(WrenRow.many(5)))).batch
            let damaged = try #require(try await log.streams()["w2"])
            try await log.rejectingEvents(of: damaged) {
                let seen = NIOLockedValueBox<[LeftRecord]>([])
                let undone = try await ImportUndo(log: log.log).run(batch) { left in
                    seen.withLockedValue { $0.append(left) }
                }
                #expect(undone.withdrawn == 4 && undone.rejected == 1 && undone.left == 0)
                let left = try #require(seen.withLockedValue { $0 }.first)
                #expect(left.id == SightingID(damaged) && left.description.contains("it cannot be restored"))
            }
            let rest = try await ImportUndo(log: log.log).run(batch)
            #expect(rest.changed == 1 && rest.withdrawn == 5 && rest.rejected == 0)
        }
    }

    @Test func `a killed undo completes when it is repeated, as does that of a killed import`() async throws {
        try await ImportFixture.run { log in
            // An append, and what is in progress beside it, has some thousand events.
            let rows = WrenRow.many(8000)
            try await log.importRows(try log.write("a.csv", WrenRow.file(rows)))
            let corrected = rows.map { row in
                var row = row
                row.count = "90"
                return row
            }
            let file = try log.write("b.csv", WrenRow.file(corrected))
            let before = try await log.sightings().mapValues(\.record)
            try await log.stopping(after: try await log.head() + 2_900) { _ = try await log.importRows(file) }
            let touched = try await log.sightings().values.filter { $0.record?.details.count?.value == 90 }
            let batch = try #require(touched.first?.record?.batch)
            #expect(touched.count < rows.count)
            try await log.stopping(after: try await log.head() + 300) {
                _ = try await ImportUndo(log: log.log).run(batch)
            }
            let undone = try await ImportUndo(log: log.log).run(batch)
            #expect(undone.setBack == touched.count && !undone.isRepetition)
            #expect(undone.changed > 0 && undone.changed < touched.count)
            #expect(try await log.sightings().mapValues(\.record) == before)
        }
    }

    @Test func `a batch that nobody knows cannot be undone`() async throws {
        try await ImportFixture.run { log in
            let batch = BatchID(UUID())
            await #expect(throws: ImportError.unknownBatch(batch)) { try await ImportUndo(log: log.log).run(batch) }
        }
    }
}

extension ImportFixture {
    /// Lets the database reject further events of a stream meanwhile.
    func rejectingEvents(of stream: UUID, _ body: () async throws -> Void) async throws {
        try await database.withConnection(database.owner) { owner in
            _ = try await owner.query(
                """
                alter table log.events add constraint spoilt check (stream <> \(literal: stream.uuidString)::uuid)
                  not valid
                """)
            try await body()
            _ = try await owner.query("alter table log.events drop constraint spoilt")
        }
    }

    /// The newest row beside the log, by stream.
    func newestRows() async throws -> [UUID: String] {
        let rows = try await pool.query(
            """
            select distinct on (stream) stream, value from vault.content where field = 'record'
             order by stream, position desc
            """)
        return Dictionary(
            uniqueKeysWithValues: try rows.rows.map { (try $0.decode("stream"), try $0.decode("value")) })
    }
}
