import Domain
import EventLog
import Foundation
import Logging
import Postgres
import ReadModels
import TestRandom
import TestSupport
import Testing

@testable import Imports
@testable import Service

/// After random histories: what a batch had changed, and nothing since, is as it was before the batch, in the public
/// view, the exact view, the queue and the rows beside the log; everything else stays as it is.
struct ImportUndoLawTests {
    private static let models: [ReadModel] = [.sightingsExact, .sightingsPublic, .moderation, .datasets]

    @Test(arguments: RandomSource.seeds(6))
    func `an undo restores what has not changed since`(seed: UInt64) async throws {
        try await ImportFixture.run(models: Self.models) { log in
            var history = RandomImports(log: log, seed: seed)
            for _ in 0..<3 {
                _ = try await history.importSome()
                try await history.moderate(1)
            }
            let before = try await RecordViews(log)
            let batch = try await history.importSome()
            let touched = try await log.sightings().filter { $0.value.imports.touches.last?.batch == batch }.map(\.key)
            if history.random.isTrue(oneIn: 2) { try await history.moderate(2) }
            if history.random.isTrue(oneIn: 2) { _ = try await history.importSome() }
            let (since, head) = (try await RecordViews(log), try await log.head())

            let summary = try await ImportUndo(log: log.log).run(batch)
            let after = try await RecordViews(log)
            #expect(try await RecordViews(log, asOf: head).asOfViews == since.asOfViews, "earlier answers stay")
            var restored = 0
            for (stream, state) in after.states {
                let wasUndone = state.imports.undone.contains { $0.batch == batch }
                guard wasUndone else {
                    #expect(after.views[stream] == since.views[stream])
                    continue
                }
                restored += 1
                #expect(touched.contains(stream))
                guard let former = before.states[stream] else {
                    #expect(state.status == .withdrawn && state.withdrawal == .undone)
                    continue
                }
                #expect(state.record == former.record && state.review.standing == former.review.standing)
                // The most sensitive of all identifications counts for ever.
                guard state.sensitivity == former.sensitivity else { continue }
                #expect(after.views[stream] == before.views[stream])
            }
            #expect(summary.changed == restored && !touched.isEmpty)
            #expect(summary.withdrawn + summary.setBack + summary.broughtBack == restored)
            #expect(summary.left == touched.count - restored)

            let again = try await ImportUndo(log: log.log).run(batch)
            #expect(again.isRepetition && again.changed == 0 && again.left == summary.left)
            for model in Self.models { try await assertRebuildsEqual(model, log.pool, batches: [3, .max]) }
        }
    }
}

/// Imports and decisions by chance.
private struct RandomImports {
    let log: ImportFixture
    var random: RandomSource
    private var number = 0

    init(log: ImportFixture, seed: UInt64) {
        (self.log, random) = (log, RandomSource(seed: seed))
    }

    /// Imports some rows of a dozen records, sometimes instead of all others.
    mutating func importSome() async throws -> BatchID {
        number += 1
        var rows: [WrenRow] = []
        for id in 0..<12 where !random.isTrue(oneIn: 3) {
            var row = WrenRow(id: "w\(id)")
            row.name = random.element(of: ["Troglodytes hiemalis", "Troglodytes hiemalis", "Troglodytes pacificus"])
            row.count = random.element(of: ["", "1", "2"])
            row.latitude = random.element(of: ["45.5", "45.6"])
            row.licence = random.element(of: ["", "CC0-1.0"])
            row.means = random.element(of: ["", "captive"])
            rows.append(row)
        }
        // Another file each time, whatever its rows.
        let file = try log.write("\(number).csv", WrenRow.file(rows + [WrenRow(id: "n\(number)")]))
        let replaces = random.isTrue(oneIn: 2)
        return try await log.importRows(file) { ($0.replace, $0.isConfirmed) = (replaces, true) }.batch
    }

    /// Decides about some of the records that are not withdrawn.
    mutating func moderate(_ count: Int) async throws {
        let standing = try await log.sightings().filter { $0.value.status != .withdrawn }
        for stream in standing.keys.sorted(by: { $0.uuidString < $1.uuidString }).shuffled(using: &random).prefix(count)
        {
            let decision = random.element(of: [ReviewDecision.approve, .reject, .reopen])
            try await log.judge(stream, decision)
        }
    }
}

/// All records as others see them, without what says when something happened.
private struct RecordViews {
    struct View: Equatable {
        var shown: String?
        var exact: String?
        var queued: String?
        var row: String?
    }

    let states: [UUID: SightingState]
    private(set) var views: [UUID: View] = [:]
    /// The public and the exact view as of a position.
    private(set) var asOfViews: [UUID: [String?]] = [:]

    init(_ log: ImportFixture, asOf position: Int64? = nil) async throws {
        let logger = Logger(label: "undo") { _ in SwiftLogNoOpLogHandler() }
        for model in [ReadModel.sightingsExact, .sightingsPublic, .moderation, .datasets] {
            let follower = Follower(
                model, pool: log.pool, head: HeadSignal(), progress: ModelProgress(), logger: logger)
            try await follower.catchUp()
        }
        states = try await log.sightings()
        let head = try await log.head()
        let known = position ?? head
        for (stream, text) in try await log.view(
            """
            select coalesce(o.stream, r.id) as stream, (to_jsonb(r) - array[
                       'id', 'valid', 'shown', 'named', 'widened', 'change', 'version', 'recorded_at',
                       'submitted_at', 'accepted'])::text as text
              from \(identifier: ReadModel.sightingsPublic.schema).records r
              left join \(identifier: ReadModel.sightingsPublic.schema).origins o on o.id = r.id
             where r.valid @> \(known) and r.shown @> \(head) and r.kind <> 'gone'
            """)
        { views[stream, default: View()].shown = text }
        for (stream, text) in try await log.view(
            """
            select id as stream, (to_jsonb(s) - array['valid', 'version', 'recorded_at', 'submitted_at'])::text as text
              from \(identifier: ReadModel.sightingsExact.schema).sightings s where valid @> \(known)
            """)
        { views[stream, default: View()].exact = text }
        asOfViews = views.mapValues { [$0.shown, $0.exact] }
        for (stream, text) in try await log.view(
            """
            select id as stream, (to_jsonb(i) - array['version', 'position'])::text as text
              from \(identifier: ReadModel.moderation.schema).items i
            """)
        { views[stream, default: View()].queued = text }
        for (stream, text) in try await log.newestRows() { views[stream, default: View()].row = text }
    }
}

extension ImportFixture {
    /// A text for each stream.
    fileprivate func view(_ sql: SQL) async throws -> [(UUID, String)] {
        try await pool.query(sql).rows.map { (try $0.decode("stream"), try $0.decode("text")) }
    }
}
