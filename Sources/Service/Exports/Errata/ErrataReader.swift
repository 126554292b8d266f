package import Domain
import EventLog
import Exchange
import FoundationEssentials
package import Postgres
package import ReadModels
import Vault

/// Reads the differences between a bulk answer at two moments, under the same restrictions. They are those that a
/// comparison of both answers, record by record, would find.
package struct ErrataReader: Sendable {
    /// The size of a page, and the public id after which it begins.
    package struct Page: SliceRequest, Hashable {
        package var limit: Int
        package var after: SightingID?

        package init(limit: Int, after: SightingID? = nil) {
            (self.limit, self.after) = (limit, after)
        }
    }

    /// The answers that are compared.
    package struct Question: Sendable {
        package var query: BulkQuery
        package var format: ExportFormat
        /// The service's public address, which is in the columns.
        package var baseURL: String?
        package var first: PublicMoment
        package var second: PublicMoment

        package init(
            _ query: BulkQuery, as format: ExportFormat, baseURL: String?, from first: PublicMoment,
            to second: PublicMoment
        ) {
            (self.query, self.format, self.baseURL, self.first, self.second) = (query, format, baseURL, first, second)
        }
    }

    /// Candidates that one statement reads, and those of them that are compared at once.
    private static let (window, batch) = (5_000, 250)

    private let pool: PostgresPool
    let bulk: BulkReader

    package init(_ pool: PostgresPool, signer: CommandSigner) {
        (self.pool, bulk) = (pool, BulkReader(pool, signer: signer))
    }

    /// A page of differences, sorted by public id; those of records that only lost or got back their original id come
    /// with the record that caused it. A page has fewer than its limit if differences are few among many records that
    /// have changed otherwise: then it ends when its time is over, and the next page begins there.
    /// - Parameter time: how long to look for more.
    /// - Throws: what the database throws.
    package func errata(
        _ question: Question, _ page: Page, within time: Duration
    ) async throws -> Slice<Erratum, SightingID> {
        let end = ContinuousClock.now + time
        let span = try await span(question)
        var errata: [Erratum] = []
        var after = page.after
        while true {
            let start = after
            let ids = try await bulk.query {
                try await DifferenceQueries($0).candidates(in: span, after: start, limit: Self.window)
            }
            for index in stride(from: 0, to: ids.count, by: Self.batch) {
                let some = Array(ids[index..<min(index + Self.batch, ids.count)])
                let found = try await compare(some, question, span)
                for id in some {
                    let own = found[id] ?? []
                    if !errata.isEmpty, errata.count + own.count > page.limit { return Slice(errata, next: after) }
                    errata += own
                    after = id
                }
                if ContinuousClock.now >= end, let after { return Slice(errata, next: after) }
            }
            if ids.count < Self.window { return Slice(errata, next: nil) }
        }
    }

    /// The differences of some candidates, by the candidate that they come with.
    private func compare(
        _ ids: [SightingID], _ question: Question, _ span: DifferenceQueries.Span
    ) async throws -> [SightingID: [Erratum]] {
        async let old = records(ids, question, question.first)
        async let new = records(ids, question, question.second)
        let (before, now) = (try await old, try await new)
        var errata: [SightingID: [Erratum]] = [:]
        for erratum in try await self.errata(ids, before, now, question, span) { errata[erratum.id] = [erratum] }
        // If a record is added or removed, another one may lose its original id to it, or regain it.
        let causes = ids.compactMap { id -> BulkRecord? in
            guard (before[id] == nil) != (now[id] == nil) else { return nil }
            return before[id] ?? now[id]
        }
        for (cause, erratum) in try await renumbered(by: causes, question, span) {
            errata[cause, default: []].append(erratum)
        }
        return errata
    }

    func errata(
        _ ids: [SightingID], _ before: [SightingID: BulkRecord], _ now: [SightingID: BulkRecord],
        _ question: Question, _ span: DifferenceQueries.Span
    ) async throws -> [Erratum] {
        func outgoing(_ record: BulkRecord?) -> OutgoingRecord? {
            record?.outgoing(as: question.format, baseURL: question.baseURL)
        }
        let pairs = ids.map { (id: $0, old: outgoing(before[$0]), new: outgoing(now[$0])) }
            .filter { $0.old != $0.new }
        guard !pairs.isEmpty else { return [] }
        let courses = try await bulk.query { [ids = pairs.map { $0.id }] in
            try await DifferenceQueries($0).courses(of: ids, in: span)
        }
        return pairs.compactMap { Erratum($0.id, from: $0.old, to: $0.new, courses[$0.id]) }
    }

    /// Those of some records that are in an answer.
    func records(
        _ ids: [SightingID], _ question: Question, _ moment: PublicMoment
    ) async throws -> [SightingID: BulkRecord] {
        var found: [SightingID: BulkRecord] = [:]
        for record in try await bulk.records(ids, of: question.query, as: question.format, asOf: moment) {
            found[record.record.row.id] = record
        }
        return found
    }
}

// MARK: - What is beside the log

extension ErrataReader {
    /// The moments, with the datasets and observers whose texts changed in between.
    private func span(_ question: Question) async throws -> DifferenceQueries.Span {
        let (first, second) = (question.first, question.second)
        let datasets = try await pool.query(
            """
            select d.id from \(identifier: ReadModel.datasets.schema).datasets d
             where exists (
                select from vault.content c
                 where c.stream = d.id and c.field = any(\(Self.credits.map(\.rawValue)))
                   and c.position > \(first.known) and c.position <= \(second.known))
            """)
        // Two bounds, because one alone would not be looked up by index in a table that was never analysed.
        let observers = try await pool.query(
            """
            select a.observer from \(identifier: ReadModel.accounts.schema).accounts a
             where a.position > \(first.known) and a.position < \(Int64.max) and a.observer is not null
               and (exists (
                        select from vault.content c
                         where c.stream = a.id and c.field = \(ContentField.displayName.rawValue)
                           and c.position > \(first.known) and c.position <= \(second.known))
                    or exists (
                        select from \(identifier: ReadModel.accounts.schema).concealed k
                         where k.account = a.id and k.what = \(Publicity.name.rawValue)
                           and k.until > \(first.known) and k.until <= \(second.known)))
            """)
        var span = DifferenceQueries.Span(from: first, to: second)
        for row in datasets.rows { span.datasets.append(DatasetID(try row.decode("id", as: UUID.self))) }
        for row in observers.rows { span.observers.append(ObserverID(try row.decode("observer", as: UUID.self))) }
        return span
    }

    private static let credits: [ContentField] = [.title, .publisher, .citation, .rightsHolder]
}
