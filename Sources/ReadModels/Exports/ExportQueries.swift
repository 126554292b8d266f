package import Domain
import EventLog
import FoundationEssentials
import JSON
package import Postgres

/// An export as it is now.
package struct ExportRow: Sendable {
    /// How far it is, besides the job that makes it.
    package enum Status: String, Vocabulary {
        case waiting, made, failed, cancelled
    }

    package let id: ExportID
    package let query: ExportQuery
    package let status: Status
    /// Why it failed; nil unless it did, and where that was redacted.
    package let reason: ExportFailure?
    /// When it was first asked for.
    package let requestedAt: Instant
    package let version: Int
    /// The position of its newest event. Must never be returned to clients.
    package let position: Int64
    /// The first one first.
    package internal(set) var revisions: [ExportMade] = []
    /// The numbers of those that may not be given out any more.
    package internal(set) var restricted: Set<Int> = []

    static let columns: SQL = """
        x.id, x.format, x.filter, x.as_of::text as as_of, x.pin, x.output_version, x.site, x.ranges, x.status,
        x.reason, x.requested_at, x.version, x.position
        """

    init(_ row: PostgresRow) throws(PostgresError) {
        id = try row.id("id")
        query = ExportQuery(
            format: try row.required(row.word("format"), "format"),
            filter: try row.required(row.value("filter"), "filter"), day: try row.date("as_of"),
            pin: try row.value("pin"), outputVersion: try row.decode("output_version"), site: try row.code("site"),
            ranges: try row.value("ranges"))
        status = try row.required(row.word("status"), "status")
        reason = try row.word("reason")
        requestedAt = try row.required(row.instant("requested_at"), "requested_at")
        version = try row.decode("version")
        position = try row.decode("position")
    }
}

extension ExportMade {
    fileprivate static let columns: SQL = """
        v.export, v.revision, v.known, v.shown, v.guarded, v.settled, v.rows, v.bytes, v.sha256, v.members, v.licences,
        v.datasets, v.left_out, v.generalised, v.replaced_characters, v.polygons, v.software, v.restricted
        """

    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            revision: try row.decode("revision"),
            moment: ExportMoment(
                known: try row.decode("known"), shown: try row.decode("shown"), guarded: try row.decode("guarded"),
                settled: try row.decode("settled")),
            rows: try row.decode("rows"), bytes: try row.decode("bytes"),
            sha256: try row.required(row.code("sha256"), "sha256"), members: try row.list("members"),
            licences: try row.list("licences"), datasets: try row.list("datasets"),
            leftOut: try row.required(row.value("left_out"), "left_out"), generalised: try row.decode("generalised"),
            replacedCharacters: try row.decode("replaced_characters"), polygons: try row.code("polygons"),
            software: try row.code("software"))
    }
}

/// Reads exports.
package struct ExportQueries: Sendable {
    /// The size of a page of an account's exports, and the place where it begins.
    package struct Page: SliceRequest, Hashable {
        package var limit: Int
        package var after: MomentKey?

        package init(limit: Int, after: MomentKey? = nil) {
            (self.limit, self.after) = (limit, after)
        }
    }

    package static let plan = ReadPlan(.exports)

    let database: any PostgresQuerying
    private static let schema = ReadModel.exports.schema

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// - Returns: nil where there is none, or what was asked for was redacted.
    /// - Throws: `PostgresError`.
    package func export(_ id: ExportID) async throws(PostgresError) -> ExportRow? {
        let result = try await database.query(
            """
            select \(fragment: ExportRow.columns) from \(identifier: Self.schema).exports x where x.id = \(id.uuid)
            """)
        guard let row = result.first else { return nil }
        return try await withRevisions([try ExportRow(row)]).first
    }

    /// All exports, in the order in which they were first asked for.
    /// - Throws: `PostgresError`.
    package func all() async throws(PostgresError) -> [ExportRow] {
        let result = try await database.query(
            """
            select \(fragment: ExportRow.columns) from \(identifier: Self.schema).exports x
             order by x.requested_at, x.id
            """)
        var rows: [ExportRow] = []
        for row in result.rows { rows.append(try ExportRow(row)) }
        return try await withRevisions(rows)
    }

    /// The exports that an account asks for, the newest request first.
    /// - Throws: `PostgresError`.
    package func exports(
        of account: AccountID, _ page: Page
    ) async throws(PostgresError) -> Slice<ExportRow, MomentKey> {
        var after: SQL = "true"
        if let key = page.after { after = key.precedes("r.requested_at", "r.export") }
        let result = try await database.query(
            """
            select \(fragment: ExportRow.columns), r.requested_at as asked_at
              from (select r.* from \(identifier: Self.schema).requests r
                     where r.account = \(account.uuid) and \(fragment: after)
                     order by r.requested_at desc, r.export
                     limit \(page.rows)) r
             cross join lateral (
                select x.* from \(identifier: Self.schema).exports x where x.id = r.export offset 0) x
             order by r.requested_at desc, r.export
            """)
        var keys: [ExportID: MomentKey] = [:]
        var rows: [ExportRow] = []
        for row in result.rows {
            let export = try ExportRow(row)
            keys[export.id] = try row.instant("asked_at").map { MomentKey($0, export.id.uuid) }
            rows.append(export)
        }
        return page.slice(try await withRevisions(rows)) { keys[$0.id] }
    }

    private func withRevisions(_ exports: [ExportRow]) async throws(PostgresError) -> [ExportRow] {
        guard !exports.isEmpty else { return [] }
        let result = try await database.query(
            """
            select \(fragment: ExportMade.columns)
              from unnest(\(exports.map(\.id.uuid))) q (id)
             cross join lateral (
                select v.* from \(identifier: Self.schema).revisions v where v.export = q.id offset 0) v
             order by v.export, v.revision
            """)
        var revisions: [ExportID: [ExportMade]] = [:]
        var restricted: [ExportID: Set<Int>] = [:]
        for row in result.rows {
            let (id, made) = (try row.id("export", as: ExportID.self), try ExportMade(row))
            revisions[id, default: []].append(made)
            if try row.decode("restricted") { restricted[id, default: []].insert(made.revision) }
        }
        return exports.map { export in
            var export = export
            export.revisions = revisions[export.id] ?? []
            export.restricted = restricted[export.id] ?? []
            return export
        }
    }
}
