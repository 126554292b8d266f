package import Domain

/// A request for an export as a file of an operator's own. Nothing about it is recorded.
package struct FileExportRequest: Hashable, Sendable {
    /// The moment as of which the records are.
    package enum AsOf: Hashable, Sendable {
        /// The present.
        case now
        /// The end of a day (UTC) that is over. The file has the bytes of the service's export of the same query.
        case day(CivilDate)
        /// A moment that is past.
        case time(Instant)
        /// A position of the log.
        case position(Int64)
    }

    package var format: ExportFormat
    package var filter: RecordFilter
    /// Datasets to include though they are not passed on.
    package var named: Set<DatasetID>
    package var asOf: AsOf
    /// The terms of a table of ranges; nil for other formats.
    package var ranges: RangeTerms?

    package init(
        format: ExportFormat, filter: RecordFilter, named: Set<DatasetID> = [], asOf: AsOf = .now,
        ranges: RangeTerms? = nil
    ) {
        (self.format, self.filter, self.named, self.asOf, self.ranges) = (format, filter, named, asOf, ranges)
    }
}

/// An export in a file of this process, which is removed with this value unless it was moved.
package struct FileExport: Sendable {
    /// The facts that its documents state.
    package let facts: ExportFacts
    let made: MadeExport

    package var path: String { made.path }
}

/// Why an operator's export is not made.
package enum FileExportError: Error, Hashable, CustomStringConvertible {
    /// The disk is full, or has less free space than the reserve.
    case noSpace(free: Int?, reserve: Int?)
    /// The format needs settings that are not set.
    case notConfigured([ExportSite.Setting])

    package var description: String {
        switch self {
        case .noSpace(let free?, let reserve?) where free < reserve:
            "the export was not made: \(free) bytes of disk space are free, less than SKEIN_DISK_RESERVE (\(reserve))"
        case .noSpace:
            "the export was not made: the disk is full"
        case .notConfigured(let settings):
            "the format needs settings that are not set: \(settings.map(\.rawValue).joined(separator: ", "))"
        }
    }
}
