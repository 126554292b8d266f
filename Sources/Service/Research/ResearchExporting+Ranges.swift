package import Domain
import Exchange
package import ReadModels
import Vault

extension ResearchExporting {
    /// Writes the records of an export, or its table of ranges.
    /// - Parameter found: which ends with it.
    /// - Throws: ``ReadingTimeout``; what cannot be read of the export; what the database or `write` throws.
    package func write(
        _ export: ResearchExport, _ found: PublicReads.BulkStream, to write: ([UInt8]) async throws -> Void
    ) async throws {
        guard let selection = try export.selection else {
            return try await found.write(try export.query, as: export.format, to: write)
        }
        try await found.write(selection, borders: diff.borders, to: write)
    }

    /// A page of differences between an export and another one of the account, or a public one.
    /// - Parameters:
    ///   - other: the later table.
    ///   - position: what the answer reflects at least.
    /// - Throws: as ``ExportDiff/differences(of:with:_:position:)``, also for those of other accounts.
    package func differences(
        of id: ExportID, with other: ExportID, _ page: RangeDiffPage, by account: AccountID, position: Int64 = 0
    ) async throws -> Shown<Slice<RangeDifference, RangeDiffPage.Key>> {
        let first = try await export(id, of: account).compared
        let own = try await store.export(other, of: account)
        let second =
            if let own { try own.compared } else { try await diff.table(other, position) }
        return try await diff.differences(from: first, to: second, page, position: position)
    }
}

extension ResearchExport {
    /// Those of a table of ranges; nil for other formats.
    fileprivate var selection: RangeSelection? {
        get throws {
            guard let terms = try terms else { return nil }
            return RangeSelection(try query, terms)
        }
    }

    fileprivate var compared: ComparedTable {
        get throws {
            guard let selection = try selection else { throw ExportDiffRejection.notRanges(id) }
            return ComparedTable(
                selection: selection, known: Int64(pin.known), guarded: Int64(pin.guarded), day: day)
        }
    }
}

extension PublicReads.BulkStream {
    /// Writes a table of ranges, which may be done once, as ``write(_:as:to:)`` writes records.
    fileprivate func write(
        _ selection: RangeSelection, borders: RangeBorders, to write: ([UInt8]) async throws -> Void
    ) async throws {
        defer { turn.end() }
        let end = ContinuousClock.now + ReadingTimeout.limit
        _ = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            let tables = RangeTableReader(reader: reader, borders: try await borders.all)
            try await tables.writeText(of: selection, asOf: moment) { part in
                guard ContinuousClock.now < end else { throw ReadingTimeout() }
                try await write(part)
            }
        }
    }
}

extension RangeTableReader {
    /// The taxa of one statement of a stream, which has the time of any request's statement.
    private static let streamed = 5

    /// Writes the table as text, a few taxa at a time: each is read when the ones before are sent, so that restrictions
    /// that began meanwhile apply.
    fileprivate func writeText(
        of selection: RangeSelection, asOf moment: PublicMoment, to write: ([UInt8]) async throws -> Void
    ) async throws {
        let writer = DelimitedWriter()
        var part: [UInt8] = []
        writer.append(RangeColumn.allCases.map(\.name), to: &part)
        var rest = try await taxa(of: selection, asOf: moment)[...]
        try await write(part)
        while !rest.isEmpty {
            let some = rest.prefix(Self.streamed)
            rest = rest.dropFirst(Self.streamed)
            let counts = try await self.counts(some, in: selection, asOf: moment)
            part.removeAll(keepingCapacity: true)
            for taxon in some {
                guard let found = counts[taxon.id] else { continue }
                let query = selection.range(of: taxon.id)
                for row in try table(found, of: taxon.id, in: selection).rows {
                    let line = RangeLine(row, of: taxon, query)
                    writer.append(RangeColumn.allCases.map { line[$0] }, to: &part)
                }
                try Task.checkCancellation()
            }
            if !part.isEmpty { try await write(part) }
        }
    }
}
