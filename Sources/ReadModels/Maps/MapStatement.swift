import Domain
import Postgres

/// The one statement behind every map, over a table `s` that has places, local dates and statuses.
///
/// It runs in one snapshot: matching records are found once, and returned as points if they are no more than
/// `fewRecords`, else as cells.
struct MapStatement {
    /// The table, named `s`.
    let table: SQL
    /// Which of its rows belong to the map.
    let condition: SQL
    /// The column with the decimals of a generalised place.
    let cell: SQL
    /// The column with the count of a guarded record.
    let countRange: SQL
    /// The moment as of which public records are read; nil for exact records.
    let moment: PublicMoment?

    func answer(_ view: MapView, _ database: any PostgresQuerying) async throws(PostgresError) -> MapAnswer {
        let result = try await database.query(statement(view))
        if let first = result.first, try first.id(optional: "id", as: SightingID.self) == nil {
            let grid = MapGrid(zoom: view.grid.zoom - (try first.decode("coarser", as: Int.self)))
            var cells: [MapAnswer.Cell] = []
            cells.reserveCapacity(result.count)
            for row in result.rows { cells.append(try MapAnswer.Cell(row, grid)) }
            return .cells(cells, grid)
        }
        return .points(try Self.points(result))
    }

    /// Reads every matching record through a cursor, in batches.
    /// - Parameter connection: in a transaction, and not used by anything else.
    func eachPoint(
        _ view: MapView, _ connection: PostgresConnection, _ body: ([MapAnswer.Point]) async throws -> Void
    ) async throws {
        try await connection.query(
            """
            declare map_points no scroll cursor for
            select \(fragment: columns) from \(fragment: table)
             where \(fragment: condition) and \(fragment: within(view))
            """)
        while true {
            let points = try Self.points(try await connection.query("fetch 500 from map_points"))
            if points.isEmpty { break }
            try await body(points)
        }
    }

    /// The points of those of some records that match.
    ///
    /// The conditions are wrapped in `coalesce`, so that every plan looks the records up by their ids.
    func points(
        _ ids: [SightingID], _ view: MapView, _ database: any PostgresQuerying
    ) async throws(PostgresError) -> [MapAnswer.Point] {
        try Self.points(
            try await database.query(
                """
                select \(fragment: columns) from \(fragment: table)
                 where s.id = any(\(ids.map(\.uuid)))
                   and coalesce((\(fragment: condition) and \(fragment: within(view))), false)
                """))
    }

    private static func points(_ result: PostgresResult) throws(PostgresError) -> [MapAnswer.Point] {
        var points: [MapAnswer.Point] = []
        points.reserveCapacity(result.count)
        for row in result.rows { points.append(try MapAnswer.Point(row)) }
        return points
    }

    private var columns: SQL {
        """
        s.id, s.latitude, s.longitude, \(fragment: cell) as cell, s.uncertainty, s.status, s.taxon, s.count,
        \(fragment: countRange) as count_range, s.observed
        """
    }

    private func statement(_ view: MapView) -> SQL {
        """
        with matched as materialized (
            select \(fragment: columns)
              from \(fragment: table)
             where \(fragment: condition) and \(fragment: within(view))
        ), few as (
            select count(*) <= \(view.fewRecords) as few from (select from matched limit \(view.fewRecords + 1)) m
        ), cells as materialized (
            select c.y, c.x, count(*) as records, count(*) filter (where c.status = 'pending') as pending
              from (\(fragment: Self.cells(view.grid))) c
             group by c.y, c.x
        ), level as materialized (
            -- Materialized: it would be computed once for each cell where the planner expects few.
            -- The series comes in order: the first level that fits is the finest, and no other is looked at.
            select k as coarser
              from generate_series(0, \(view.grid.zoom)::int) k
             where (select count(*) from (select from cells group by y >> k, x >> k limit \(view.fewCells + 1)) c)
                   <= \(view.fewCells)
             limit 1
        )
        select m.id, m.latitude, m.longitude, m.cell, m.uncertainty, m.status, m.taxon, m.count, m.count_range,
               m.observed, null::bigint as x, null::bigint as y, 1::bigint as records, null::bigint as pending,
               null::int as coarser
          from matched m, few where few.few
        union all
        (select null, null, null, null, null, null, null, null, null, null,
                c.x >> coarser, c.y >> coarser, sum(c.records)::bigint, sum(c.pending)::bigint, coarser
           from cells c, level
          group by c.y >> coarser, c.x >> coarser, coarser)
         order by id, y, x
        """
    }

    /// The condition for the records of a view. Records without a place are in no box, and so on no map.
    ///
    /// The box and the table's own condition choose the index. The rest of the filter is one condition that no index
    /// has, so that the plan is the same for any filter.
    private func within(_ view: MapView) -> SQL {
        var filter = view.filter
        filter.box = filter.box ?? .world
        let placed = filter.condition([.box], asOf: moment)
        filter.box = nil
        if filter == RecordFilter() { return placed }
        return "\(fragment: placed) and coalesce(\(fragment: filter.condition(asOf: moment)), false)"
    }

    private static func cells(_ grid: MapGrid) -> SQL {
        """
        select least(floor((m.latitude + 90) / \(grid.side)), \(Double(grid.rows - 1)))::bigint as y,
               least(floor((m.longitude + 180) / \(grid.side)), \(Double(grid.columns - 1)))::bigint as x, m.status
          from matched m, few where not few.few
        """
    }
}

extension MapAnswer.Point {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            id: try row.id("id"), coordinate: try row.required(row.coordinate(), "latitude"),
            decimals: try row.decode("cell"), uncertainty: try row.decode("uncertainty"),
            status: try row.required(row.word("status"), "status"), taxon: try row.id(optional: "taxon"),
            count: try row.decode("count"), countRange: try row.word("count_range"),
            observed: try row.observationTime("observed"))
    }
}

extension MapAnswer.Cell {
    fileprivate init(_ row: PostgresRow, _ grid: MapGrid) throws(PostgresError) {
        self.init(
            box: grid.cell(column: try row.decode("x"), row: try row.decode("y")),
            records: try row.decode("records"), pending: try row.decode("pending"))
    }
}
