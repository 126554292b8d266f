import Domain
import EventLog
import Foundation
import Postgres
import ReadModels
import TestSupport
import Testing

struct FixtureFoldTests {
    @Test func `every model makes the committed rows of them`() async throws {
        try await ModelFixture.run { fixture in
            let events = try FixtureLog.all()
            var writer = LogWriter(fixture.owner)
            try await writer.append(events, nonces: events.indices.map { FixtureLog.number(0x4000 + $0) })
            for model in ReadModel.all {
                try await fixture.build(model, in: "fixture")
                try await fixture.fold("fixture", after: 0, upTo: writer.head)
                let rows = try await fixture.rows(of: model)
                let file = URL(
                    fileURLWithPath: PackageRoot.path + "/Tests/ReadModelsTests/Fixtures/rows/\(model.name).jsonl")
                if ProcessInfo.processInfo.environment["SKEIN_WRITE_GENERATED"] != nil {
                    try Data(rows.utf8).write(to: file)
                }
                #expect(
                    try String(contentsOf: file, encoding: .utf8) == rows,
                    "\(file.lastPathComponent): if the rows are right, run the tests once with SKEIN_WRITE_GENERATED=1")
                _ = try await fixture.pool.query("drop schema fixture cascade")
            }
        }
    }

    /// An event that a model's fold forgets is found here: it is in the model's list of events, because it belongs to a
    /// stream that the model folds, and changes nothing.
    @Test(arguments: ReadModel.all)
    func `every event that a model lists changes its rows, and no other event does`(model: ReadModel) async throws {
        try await ModelFixture.run { fixture in
            let streams = try FixtureLog.streams(first: "all", others: "all")
            var writer = LogWriter(fixture.owner)
            try await writer.append(streams.flatMap { $0 })
            try await fixture.build(model, in: "fixture")
            var before = try await fixture.content(of: model)
            var marks = try await fixture.content(of: model, withMarks: true)
            for (index, event) in streams.joined().enumerated() {
                try await fixture.fold("fixture", after: Int64(index), upTo: Int64(index) + 1)
                let after = try await fixture.content(of: model)
                let marksAfter = try await fixture.content(of: model, withMarks: true)
                // Its effect is the tombstone in place of another event's payload.
                // Public photos depend on their sightings, which come later here: they have tests of their own.
                let isPublicPhoto = model == .sightingsPublic && event.kind == "photo"
                if event.type != PayloadRedacted.type, !isPublicPhoto {
                    let isListed = model.events[event.kind]?.contains(event.type) ?? false
                    // Some rows have the version of the newest event, even of one that changes none of their values.
                    let hasVersions = [
                        .accounts, .datasets, .exports, .sightingsExact, .photos, .moderation, .targets,
                    ].contains(model)
                    let isChanged = hasVersions ? marks != marksAfter : before != after
                    #expect(isChanged == isListed, "\(model.name), \(event.type)")
                }
                (before, marks) = (after, marksAfter)
            }
        }
    }
}

extension ModelFixture {
    /// All rows of the model in the schema `fixture`, a line each.
    fileprivate func rows(of model: ReadModel) async throws -> String {
        var lines: [String] = []
        for (table, columns) in model.digest.sorted(by: { $0.key < $1.key }) {
            let found = try await texts(
                """
                select row_to_json(t)::text as row
                  from (select \(fragment: Self.list(columns)) from fixture.\(identifier: table)) t
                """)
            lines += found.map { "\(table) \($0)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The model's present values.
    /// - Parameter withMarks: with the columns that name the event they are from.
    fileprivate func content(of model: ReadModel, withMarks: Bool = false) async throws -> [String] {
        var lines: [String] = []
        for (table, columns) in model.digest.sorted(by: { $0.key < $1.key }) {
            let marks = withMarks ? [] : ["version", "position", "since", "change", "recorded_at", "valid", "shown"]
            var current: SQL = "true"
            // Without `valid`, `shown` is no range but a position.
            for range in ["valid", "shown"] where columns.contains("valid") && columns.contains(range) {
                current = "\(fragment: current) and upper_inf(\(identifier: range))"
            }
            lines += try await texts(
                """
                select row(\(fragment: Self.list(columns.filter { !marks.contains($0) })))::text as row
                  from fixture.\(identifier: table) where \(fragment: current)
                """)
        }
        return lines
    }

    private func texts(_ statement: SQL) async throws -> [String] {
        try await pool.transaction { connection in
            _ = try await connection.query("set local timezone = 'UTC'")
            let result = try await connection.query(
                "select t.row from (\(fragment: statement)) t order by t.row collate \"C\"")
            return try result.rows.map { try $0.decode("row") }
        }
    }

    private static func list(_ columns: [String]) -> SQL {
        columns.dropFirst().reduce("\(identifier: columns[0])") { "\(fragment: $0), \(identifier: $1)" }
    }
}
