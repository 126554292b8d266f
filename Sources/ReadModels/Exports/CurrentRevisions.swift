package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// A revision of an export that may be given out, as far as is known.
package struct CurrentRevision: Sendable {
    /// Names a revision of any export.
    package struct Key: Hashable, Sendable {
        package let export: ExportID
        package let revision: Int

        package init(_ export: ExportID, _ revision: Int) {
            (self.export, self.revision) = (export, revision)
        }
    }

    package let key: Key
    package let format: ExportFormat
    package let filter: RecordFilter
    /// The terms of a table of ranges.
    package let ranges: RangeTerms?
    /// The moment at which it was made. Its positions must never be returned to clients.
    package let moment: PublicMoment
    package let sha256: Fingerprint

    init(_ row: PostgresRow) throws(PostgresError) {
        key = Key(try row.id("export"), try row.decode("revision"))
        format = try row.required(row.word("format"), "format")
        filter = try row.required(row.value("filter"), "filter")
        ranges = try row.value("ranges")
        moment = PublicMoment(
            known: try row.decode("known"), shown: try row.decode("shown"), guarded: try row.decode("guarded"),
            settled: try row.decode("settled"), of: try row.date("as_of"))
        sha256 = try row.required(row.code("sha256"), "sha256")
    }

    /// The records that it holds.
    package var selection: RecordSelection { RecordSelection(exportedBy: filter, as: format, ranges) }
}

extension RecordSelection {
    /// The records that an export holds.
    /// - Parameter ranges: of a table of ranges, whose rows depend on records that they leave out, too.
    package init(exportedBy filter: RecordFilter, as format: ExportFormat, _ ranges: RangeTerms?) {
        if let ranges {
            self.init(ranges: BulkQuery(filter: filter), ranges)
            return
        }
        if format == .survey {
            self.init(surveyOf: filter)
            return
        }
        // A Darwin Core archive has none without a taxon.
        self.init(BulkQuery(filter: filter), and: format == .dwca ? "s.taxon is not null" : "true")
    }
}

extension ExportQueries {
    /// All revisions that were not restricted, by export and number.
    /// - Parameter key: only that one; nil for all.
    /// - Throws: `PostgresError`.
    package func currentRevisions(_ key: CurrentRevision.Key? = nil) async throws(PostgresError) -> [CurrentRevision] {
        let schema = ReadModel.exports.schema
        let wanted: SQL = key.map { "v.export = \($0.export.uuid) and v.revision = \(Int32($0.revision))" } ?? "true"
        let result = try await database.query(
            """
            select v.export, v.revision, x.format, x.filter, x.ranges, x.as_of::text as as_of, v.known, v.shown,
                   v.guarded, v.settled, v.sha256
              from \(identifier: schema).revisions v
             cross join lateral (
                select x.* from \(identifier: schema).exports x where x.id = v.export offset 0) x
             where not v.restricted and \(fragment: wanted)
             order by v.export, v.revision
            """)
        var revisions: [CurrentRevision] = []
        for row in result.rows { revisions.append(try CurrentRevision(row)) }
        return revisions
    }

    /// When the newest revision of an export was made; nil if none was.
    /// - Throws: `PostgresError`.
    package func lastMade(of id: ExportID) async throws(PostgresError) -> Instant? {
        try await database.query(
            """
            select max(v.made_at) as made_at from \(identifier: ReadModel.exports.schema).revisions v
             where v.export = \(id.uuid)
            """
        ).onlyRow().instant("made_at")
    }
}
