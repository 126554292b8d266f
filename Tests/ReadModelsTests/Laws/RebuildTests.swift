import EventLog
import Logging
import Postgres
import ReadModels
import TestSupport
import Testing

struct RebuildTests {
    /// A model that was built aside and put in its place goes on as before.
    @Test func `a rebuilt model is followed on`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(ReadModel.all)
            var history = RandomHistory(seed: 9, hasReviews: true)
            var writer = LogWriter(fixture.owner)
            for _ in 0..<30 { try await writer.append(history.next()) }
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            for model in ReadModel.all {
                let position = try await ModelRebuilder(fixture.pool, logger: logger).rebuild(model, batch: 50)
                #expect(position == writer.head)
            }
            for _ in 0..<30 { try await writer.append(history.next()) }
            try await fixture.follow(ReadModel.all)
            for model in ReadModel.all { try await assertRebuildsEqual(model, fixture.pool, batches: [.max]) }
        }
    }

    /// The digest leaves no column out: a difference anywhere is seen.
    @Test func `digests name every column`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(ReadModel.all)
            for model in ReadModel.all {
                let result = try await fixture.pool.query(
                    """
                    select c.table_name::text as table, array_agg(c.column_name::text) as columns
                      from information_schema.columns c
                      join information_schema.tables t using (table_schema, table_name)
                     where c.table_schema = \(model.schema) and t.table_type = 'BASE TABLE' group by 1
                    """)
                var tables: [String: Set<String>] = [:]
                for row in result.rows {
                    tables[try row.decode("table")] = Set(try row.decode("columns", as: [String].self))
                }
                // Differs in every rebuild.
                #expect(tables.removeValue(forKey: "build") != nil)
                #expect(tables == model.digest.mapValues { Set($0) }, "\(model.name)")
            }
        }
    }
}
