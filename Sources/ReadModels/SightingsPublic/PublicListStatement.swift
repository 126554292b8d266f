import Domain
import EventLog
import FoundationEssentials
import Postgres

/// The first records of a page under a filter.
///
/// No plan may depend on statistics, which know nothing of moments and of what the conditions of a filter have in
/// common. So the statement names one index to read in the order of the list, by the narrowest condition of the filter;
/// the others are wrapped in `coalesce`, and no index has them. It runs where sorting and other scans are disabled (see
/// ``PublicListQueries``).
struct PublicListStatement {
    let page: PublicListQueries.Page
    let moment: PublicMoment
    /// How many of the newest records are looked at before a narrower index is used.
    let glance: Int
    /// The table of records, named `s`: any that has the columns and indexes of `records`.
    let table: SQL
    var filter: RecordFilter { page.filter }

    init(
        _ page: PublicListQueries.Page, _ moment: PublicMoment, glance: Int,
        of table: SQL = PublicSightingQueries.table
    ) {
        (self.page, self.moment, self.glance, self.table) = (page, moment, glance, table)
    }

    /// Whether there is enough of a record to show. Redactions take the rest.
    static let isComplete: SQL = """
        s.status is not null and s.observed is not null and s.local_from is not null and s.local_to is not null
        """

    /// A query for rows of the table: those of the page, in no particular order, and some that come after it.
    var newest: SQL {
        if filter.hasPhoto == true { return pictured }
        if let taxon = filter.taxon {
            return ofTaxa(PublicSightingQueries.below(taxon, asOf: moment.known)) {
                ordered("s.taxon = \(fragment: $0)", besides: [.taxon], limit: $1)
            }
        }
        if let (condition, member) = ofOneSource ?? ofOnePlace { return ordered(condition, besides: [member]) }
        if let box = filter.box, let squares = Self.squares(of: box) { return inSquares(squares) }
        if !filter.statuses.isEmpty, filter.statuses != Set(SightingStatus.ofRecords) {
            let words = filter.statuses.map(\.rawValue).sorted()
            return each("unnest(\(words)) v (value)", "s.status = v.value", besides: [.statuses])
        }
        if let least = filter.minConfidence, least.value > Confidence.bounds.lowerBound {
            return each(
                "generate_series(\(least.value)::int, \(Confidence.bounds.upperBound)::int) v (value)",
                "s.confidence = v.value::smallint", besides: [.minConfidence])
        }
        if let (condition, member) = ofOneTrait { return ordered(condition, besides: [member]) }
        if filter.kind != nil { return ofKind }
        return ordered("true", by: Self.anyDay)
    }

    /// The condition of the index that has a dataset's records, and the member of the filter that it stands for.
    var ofOneSource: (condition: SQL, member: RecordFilter.Member)? {
        filter.dataset.map {
            ("coalesce(s.dataset, \(fragment: Self.nilUUID)) = \($0.id?.uuid ?? Self.noDataset)", .dataset)
        }
    }

    /// The same for a state or a region.
    var ofOnePlace: (condition: SQL, member: RecordFilter.Member)? {
        filter.state.map { ("s.state = \($0.text)", .state) }
            ?? filter.region.map { ("s.region = \($0.text)", .region) }
    }

    /// The same for captive records or a country.
    var ofOneTrait: (condition: SQL, member: RecordFilter.Member)? {
        if filter.captive == true { return ("s.captive", .captive) }
        return filter.country.map { ("s.country = \($0.text)", .country) }
    }

    /// The day of a record as the index of all records has it, which no statement for another index reads.
    static let anyDay: SQL = "(s.local_to + 0)"

    /// Stands for no dataset in the index: conditions for NULL keep no order.
    private static let nilUUID: SQL = "'00000000-0000-0000-0000-000000000000'::uuid"
    private static let noDataset = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

// MARK: - One index

extension PublicListStatement {
    /// The first records that meet an index's condition, and then the rest of the filter.
    /// - Parameters:
    ///   - members: those of the filter that the condition stands for.
    ///   - day: the last local date, as the index has it.
    ///   - limit: nil for a page.
    func ordered(
        _ condition: SQL, besides members: Set<RecordFilter.Member> = [], by day: SQL = "s.local_to",
        limit: Int? = nil
    ) -> SQL {
        """
        select s.* from \(fragment: table)
         where s.kind = 'record' and \(fragment: condition) and \(fragment: isOnPage(day, "s.id"))
           and coalesce(\(fragment: rest(members)), false)
         order by \(fragment: day) desc, s.id limit (select \(limit ?? page.rows))
        """
    }

    /// ``ordered(_:besides:limit:)`` for each of a few values.
    private func each(_ values: SQL, _ condition: SQL, besides members: Set<RecordFilter.Member>) -> SQL {
        """
        select s.* from \(fragment: values)
         cross join lateral (\(fragment: ordered(condition, besides: members))) s
        """
    }

    /// The conditions besides that of the index.
    func rest(_ members: Set<RecordFilter.Member>) -> SQL {
        let others = RecordFilter.Member.all.subtracting(members)
        return """
            (\(fragment: Self.isComplete) and \(fragment: moment.condition)
             and \(fragment: filter.condition(others, asOf: moment)))
            """
    }

    /// The bounds of the scan: the place after which the page begins, and the period. A record's last day is in the
    /// period if all of it is.
    func isOnPage(_ day: SQL, _ id: SQL) -> SQL {
        var condition: SQL = "true"
        if let from = filter.from {
            condition = "\(fragment: condition) and \(fragment: day) >= \(from.description)::text::date"
        }
        if let to = filter.to {
            condition = "\(fragment: condition) and \(fragment: day) <= \(to.description)::text::date"
        }
        if let key = page.after {
            let last = key.day.description
            condition = """
                \(fragment: condition) and \(fragment: day) <= \(last)::text::date
                and (\(fragment: day) < \(last)::text::date or \(fragment: id) > \(key.id.uuid))
                """
        }
        return condition
    }
}

// MARK: - Several scans

extension PublicListStatement {
    /// The first records of some taxa.
    ///
    /// No index has the records of several taxa in the order of their days. A page of *n* records has at most *n*
    /// taxa: those whose newest records rank highest. So one record of each taxon is read, then a page for each of
    /// these *n*.
    /// - Parameters:
    ///   - taxa: a query of the column `taxon`.
    ///   - records: the first records of a taxon, given by an expression for its id, up to a limit; nil for a page.
    func ofTaxa(_ taxa: SQL, _ records: (_ taxon: SQL, _ limit: Int?) -> SQL) -> SQL {
        """
        select s.*
          from (select b.taxon
                  from (\(fragment: taxa)) b
                 cross join lateral (\(fragment: records("b.taxon", 1))) s
                 order by s.local_to desc, s.id limit \(page.rows)) t
         cross join lateral (\(fragment: records("t.taxon", nil))) s
        """
    }

    /// The first records of a kind: among the newest of all, if these have a page of them, else taxon by taxon.
    /// Records of a common kind are found at once. The taxa with records are read from their index, one step for each.
    private var ofKind: SQL {
        let found = RecordedTaxa.found(in: table, where: "s.kind = 'record' and s.taxon is not null")
        let taxa: SQL = """
            with recursive \(fragment: found)
            select f.taxon from found f
             where f.taxon is not null and \(fragment: RecordFilter(kind: filter.kind).condition(of: "f"))
            """
        return firstOrElse(ofTaxa(taxa) { ordered("s.taxon = \(fragment: $0)", besides: [.kind], limit: $1) })
    }

    /// The first records in a few squares of the grid of the index.
    private func inSquares(_ squares: (rows: ClosedRange<Int>, columns: [Int])) -> SQL {
        let (south, north) = (squares.rows.lowerBound, squares.rows.upperBound)
        return firstOrElse(
            each(
                """
                (select y, x from generate_series(\(south)::int, \(north)::int) y
                  cross join unnest(\(squares.columns)) x) v
                """, "s.square_row = v.y and s.square_column = v.x", besides: []))
    }

    /// The page among the newest records, if it is full or there are no others; else what `narrow` finds.
    private func firstOrElse(_ narrow: SQL) -> SQL {
        """
        with glance as materialized (
            select s.* from \(fragment: table)
             where s.kind = 'record' and \(fragment: isOnPage(Self.anyDay, "s.id"))
             order by \(fragment: Self.anyDay) desc, s.id limit (select \(glance))
        ), seen as materialized (
            select s.* from glance s where coalesce(\(fragment: rest([])), false)
        ), done as materialized (
            select (select count(*) from seen) >= \(page.rows)
                or (select count(*) from glance) < \(glance) as done
        )
        select s.* from done d, seen s where d.done
        union all
        -- The condition inside keeps the other scans from beginning.
        select s.* from done d
         cross join lateral (select n.* from (\(fragment: narrow)) n where not d.done offset 0) s
        """
    }
}

extension PublicListStatement {
    /// Degrees of a square's side, as the index has them.
    private static let side = 2.0
    /// The most squares that are read one by one.
    private static let most = 100

    /// The squares that a box touches; nil if they are too many.
    private static func squares(of box: BoundingBox) -> (rows: ClosedRange<Int>, columns: [Int])? {
        func square(_ degrees: Double) -> Int { Int((degrees / side).rounded(.down)) }
        let rows = square(box.south)...square(box.north)
        let columns: [Int] =
            box.west <= box.east
            ? Array(square(box.west)...square(box.east))
            : Array(square(box.west)...square(180)) + Array(square(-180)...square(box.east))
        return rows.count * columns.count <= most ? (rows, columns) : nil
    }
}
