package import Domain
import Postgres
package import ReadModels

/// Why two exports are not compared.
package enum ExportDiffRejection: Error, Hashable, Sendable {
    /// Only tables of ranges are compared figure by figure.
    case notRanges(ExportID)
    /// The rows of the tables are of other periods.
    case differentPeriods
}

/// The differences between two tables of ranges, under today's restrictions.
package struct ExportDiff: Sendable {
    /// The time limit of a page, which then ends with the differences found so far.
    private static let time: Duration = .seconds(5)

    let reads: Reads
    let exports: ExportReader
    let watch: ExportWatch
    let turns: FairTurns
    let signer: CommandSigner
    let borders: RangeBorders

    /// A page of differences, when the client's turn comes.
    /// - Parameters:
    ///   - other: the later table.
    ///   - position: that the response must reflect.
    /// - Throws: ``ExportDiffRejection``, ``ExportRequestRejection/restricted(_:successor:)``,
    ///   ``CommandError/notFound``, ``MapTimeout``; as ``Reads/read(_:_:_:)``.
    package func differences(
        of id: ExportID, with other: ExportID, _ page: RangeDiffPage, position: Int64 = 0
    ) async throws -> Shown<Slice<RangeDifference, RangeDiffPage.Key>> {
        try await differences(
            from: try await table(id, position), to: try await table(other, position), page, position: position)
    }

    /// A page of differences between two tables that the caller may see.
    func differences(
        from first: ComparedTable, to second: ComparedTable, _ page: RangeDiffPage, position: Int64 = 0
    ) async throws -> Shown<Slice<RangeDifference, RangeDiffPage.Key>> {
        guard first.terms.period == second.terms.period else { throw ExportDiffRejection.differentPeriods }
        let asked = Asked(position: max(position, first.known, second.known))
        let (signer, borders) = (signer, borders)
        return try await MapTimeout.caught {
            try await reads.inTurn(turns).read(BulkReader.plan, asked) { source in
                let tables = RangeTableReader(
                    reader: BulkReader(source.pool, signer: signer), borders: try await borders.all)
                let reader = RangeDiffReader(
                    tables: tables, first: first.side(at: source.moment), second: second.side(at: source.moment))
                return try await reader.differences(page, within: Self.time)
            }
        }
    }

    /// The table of a public export.
    /// - Throws: as ``differences(of:with:_:position:)``.
    func table(_ id: ExportID, _ position: Int64) async throws -> ComparedTable {
        let view = try await exports.export(id, Asked(position: position)).value
        let export = view.export
        guard let terms = export.query.ranges else { throw ExportDiffRejection.notRanges(id) }
        if export.status == .made, let last = export.revisions.last?.revision {
            let isRestricted = export.restricted.contains(last)
            let mayBeShown = isRestricted ? false : try await watch.permits(CurrentRevision.Key(id, last))
            guard mayBeShown else { throw ExportRequestRejection.restricted(id, successor: last + 1) }
        }
        let (known, guarded) = try await reads.knowledge(of: export.query)
        return ComparedTable(
            selection: RangeSelection(BulkQuery(filter: export.query.filter), terms), known: known, guarded: guarded,
            day: export.query.day)
    }
}

/// The query of a table, and the positions of its knowledge.
struct ComparedTable: Sendable {
    let selection: RangeSelection
    let known: Int64
    let guarded: Int64
    /// The day (UTC) at whose end it is as of; nil for the present of its request.
    let day: CivilDate?

    var terms: RangeTerms { selection.terms }

    /// It under the restrictions of a moment.
    func side(at now: PublicMoment) -> RangeDiffReader.Side {
        RangeDiffReader.Side(
            selection: selection,
            moment: PublicMoment(known: known, shown: now.shown, guarded: guarded, settled: now.settled, of: day))
    }
}

extension Reads {
    /// The position of an export's knowledge, and that for guarded records.
    func knowledge(of query: ExportQuery) async throws -> (known: Int64, guarded: Int64) {
        if let pin = query.pin { return (Int64(pin.known), Int64(pin.guarded)) }
        guard let day = query.day, let known = try await log.position(atEndOf: day) else { throw DayNotOver() }
        return (known, try await months.ends(asOf: known > 0 ? day : nil).guarded)
    }
}
