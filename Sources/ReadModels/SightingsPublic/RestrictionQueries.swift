package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// Restrictions and turns of months since an answer was made: whether it would be different now.
///
/// Knowledge and its position are the same for all moments that are compared; only what may be shown differs. Rows that
/// a restriction took away or brought are found by their indexes, never by reading the answer again.
package struct RestrictionQueries: Sendable {
    /// What happened to a selection of records between two moments.
    package struct Touch: Hashable, Sendable {
        /// Whether one of its records looks different, is gone, or is new. It may be said of a record that looks the
        /// same, where only its history is different.
        package let isTouched: Bool
        /// When a payload was last redacted whose record cannot be found any more: only making the answer again shows
        /// whether it was in it. Nil for never.
        package let unclearSince: Instant?

        package var isUnclear: Bool { unclearSince != nil }
    }

    /// The positions between two moments.
    package struct Span: Hashable, Sendable {
        /// Restrictions above this position are of the span…
        let after: Int64
        /// … up to this one.
        let upTo: Int64
        /// The end of the last month that was over at the first moment…
        let month: Int64
        /// … and at the second one.
        let nextMonth: Int64

        package init(from first: PublicMoment, to second: PublicMoment) {
            (after, upTo) = (first.shown, second.shown)
            (month, nextMonth) = (first.settled, second.settled)
        }
    }

    private static let schema: SQL = "\(identifier: ReadModel.sightingsPublic.schema)"

    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements change nothing. The models `sightings_public` and `accounts`
    /// must have reached the second moment.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// Whether anything happened that might touch any answer: one short statement, for when nothing has.
    /// - Throws: `PostgresError`.
    package func happened(in span: Span) async throws(PostgresError) -> Bool {
        try await database.query(
            """
            select exists (select from (\(fragment: Self.candidates(span))) c)
                   or exists (select from \(fragment: Self.redactions(span))) as found
            """
        ).onlyRow().decode("found")
    }

    /// Whether a payload was redacted in the span. Then rows may have changed whatever their positions are, and an
    /// answer must be compared with the moment at which it was made, not with a later one at which it was still the
    /// same.
    /// - Throws: `PostgresError`.
    package func hasRedactions(in span: Span) async throws(PostgresError) -> Bool {
        try await database.query(
            "select exists (select from \(fragment: Self.redactions(span))) as found"
        ).onlyRow().decode("found")
    }

    /// What happened to the records of a selection.
    /// - Parameters:
    ///   - first: a moment at which the answer was as it was made.
    ///   - second: a later one, with the same knowledge.
    /// - Throws: `PostgresError`.
    package func touch(
        _ selection: RecordSelection, from first: PublicMoment, to second: PublicMoment
    ) async throws(PostgresError) -> Touch {
        let span = Span(from: first, to: second)
        let row = try await database.query(
            """
            with candidates as materialized (
                select distinct c.id from (
                    \(fragment: Self.candidates(span, of: selection, known: first.known))) c)
            select exists (
                       select from candidates c
                        cross join lateral (
                            select from \(fragment: PublicSightingQueries.table)
                             where s.id = c.id
                               and ((\(fragment: selection.condition(asOf: first)))
                                    or (\(fragment: selection.condition(asOf: second))))
                             limit 1) s) as touched,
                   (select max(e.recorded_at) from \(fragment: Self.redactions(span))
                     cross join lateral (
                        select e.recorded_at from log.events e where e.position = x.position offset 0) e
                     where x.kind in ('sighting', 'photo', 'taxon', 'dataset')
                       and (x.target > \(first.shown)) is not true) as unclear
            """
        ).onlyRow()
        return Touch(isTouched: try row.decode("touched"), unclearSince: try row.instant("unclear"))
    }
}

// MARK: - Candidates

extension RestrictionQueries {
    /// The redactions of a span, as a table `x`.
    private static func redactions(_ span: Span) -> SQL {
        """
        (select r.* from \(fragment: schema).redactions r
          where r.position > \(span.after) and r.position <= \(span.upTo)) x
        """
    }

    /// The public ids of records that a restriction of the span, or the turn of a month in it, may have changed.
    ///
    /// The conditions are spelt like those of the partial indexes, which the planner compares with them.
    /// - Parameters:
    ///   - selection: what shows in none of its values is left out; nil for any.
    ///   - known: what was known later is left out; nil for everything.
    private static func candidates(
        _ span: Span, of selection: RecordSelection? = nil, known: Int64? = nil
    ) -> SQL {
        let isKnown: SQL = known.map { "lower(s.valid) <= \($0)" } ?? "true"
        let (after, upTo) = (span.after, span.upTo)
        return """
            select s.id from \(fragment: PublicSightingQueries.table)
             where upper(s.shown) > \(after) and upper(s.shown) <= \(upTo)
               and not upper_inf(s.shown) and s.kind <> 'gone' and \(fragment: isKnown)
            union all
            select s.id from \(fragment: PublicSightingQueries.table)
             where lower(s.shown) > \(after) and lower(s.shown) <= \(upTo)
               and lower(s.shown) > lower(s.valid) and s.kind <> 'gone' and \(fragment: isKnown)
            union all
            select s.id from \(fragment: PublicSightingQueries.table)
             where s.named > \(span.month) and s.named <= \(span.nextMonth)
               and s.guarded and s.named > lower(s.valid) and s.kind <> 'gone' and \(fragment: isKnown)
            union all
            select s.id from \(fragment: PublicSightingQueries.table)
             where s.forgotten > \(after) and s.forgotten <= \(upTo) and s.forgotten is not null
            union all
            select s.record from \(fragment: PublicPhotoQueries.table)
             where upper(s.shown) > \(after) and upper(s.shown) <= \(upTo)
               and not upper_inf(s.shown) and not s.guarded and \(fragment: isKnown)
            \(fragment: selection?.hasOnlyFigures == true ? "" : textsTaken(span))
            """
    }

    /// The further part of the candidates whose notes or whose observers' names may be shown no longer.
    private static func textsTaken(_ span: Span) -> SQL {
        """
        union all
        select s.id from \(fragment: schema).hidden h
         cross join lateral \(fragment: PublicSightingQueries.ids(of: "h.stream")) i
         cross join lateral (
            select s.id from \(fragment: PublicSightingQueries.table) where s.id = i.id and s.content offset 0) s
         where h.since > \(span.after) and h.since <= \(span.upTo)
        union all
        select s.id from (\(fragment: namesTaken(span))) n
         cross join lateral (
            select s.id from \(fragment: PublicSightingQueries.table)
             where s.observer = n.observer and s.observer is not null offset 0) s
        """
    }

    /// The observers whose names were concealed or erased, or whose accounts had a payload redacted, in a span.
    private static func namesTaken(_ span: Span) -> SQL {
        let (after, upTo) = (span.after, span.upTo)
        return """
            select o.observer from \(identifier: ReadModel.accounts.schema).concealed k
             cross join lateral (
                select o.observer from \(fragment: schema).observers o where o.account = k.account offset 0) o
             where k.since > \(after) and k.since <= \(upTo) and k.what = \(Publicity.name.rawValue)
            union
            select a.observer from \(identifier: ReadModel.accounts.schema).accounts a
             where a.names_from > \(after) and a.names_from <= \(upTo) and a.names_from > 0
            union
            select o.observer from \(fragment: redactions(span))
             cross join lateral (
                select o.observer from \(fragment: schema).observers o where o.account = x.stream offset 0) o
             where x.kind = 'account'
            """
    }
}
