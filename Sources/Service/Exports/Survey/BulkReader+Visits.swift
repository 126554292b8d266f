import Domain
import Postgres
import ReadModels

extension BulkReader {
    /// A part of a survey, to be written in this order: visits first, then their records.
    enum SurveyPart {
        case visits([PublicVisit])
        /// Sorted by visit and public id.
        case records([(visit: PublicVisitID, record: BulkRecord)])
    }

    /// Rows among which a statement looks for visits.
    private static let visitRows = 50_000

    /// The further condition for records that are of a visit.
    private static let isOfVisit: SQL = "s.visit is not null"

    /// Reads the visits that a filter finds, sorted by their ids, with all their records that are passed on.
    ///
    /// An original id is kept where no other record of its dataset with one of the filter's statuses has it.
    /// - Throws: what the database or `body` throws.
    func eachVisit(
        of query: BulkQuery, asOf moment: PublicMoment, _ body: (SurveyPart) async throws -> Void
    ) async throws {
        let filter = query.effectiveFilter
        let whole = BulkQuery(
            filter: RecordFilter(statuses: filter.statuses, dataset: filter.dataset), named: query.named)
        var reading = BulkReading(whole, moment, .csv, signer: signer)
        try await reading.prepare(self)
        var last: PublicVisitID?
        while true {
            let start = last
            let next = try await self.query {
                try await PublicVisitQueries($0).window(after: start, rows: min(Self.visitRows, sizes.window))
            }
            guard let window = next else { return }
            last = window.end
            let visits = try await self.query {
                try await PublicVisitQueries($0).visits(of: query, in: window, asOf: moment)
            }
            guard !visits.isEmpty else { continue }
            try await body(.visits(visits))
            let records = try await self.query {
                try await PublicVisitQueries($0).records(of: visits, query, in: window, asOf: moment)
            }
            let visitOf = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0.visit) })
            try await eachBatch(records.map(\.id), &reading) { found in
                let rows = found.compactMap { record in
                    visitOf[record.record.row.id].map { (visit: $0, record: record) }
                }
                try await body(
                    .records(
                        rows.sorted { ($0.visit, $0.record.record.row.id) < ($1.visit, $1.record.record.row.id) }))
            }
        }
    }

    /// The records of visits that meet the filter and are not passed on.
    /// - Throws: what the database throws.
    func leftOutOfVisits(_ query: BulkQuery, asOf moment: PublicMoment) async throws -> LeftOut {
        try await queries { try await $0.count(of: query, asOf: moment, and: Self.isOfVisit) }.leftOut
    }

    /// The taxa whose absence must not be derived.
    /// - Throws: what the database throws.
    func guardedTaxa(asOf moment: PublicMoment) async throws -> [GuardedTaxon] {
        try await query { try await PublicVisitQueries($0).guardedTaxa(asOf: moment) }
    }
}
