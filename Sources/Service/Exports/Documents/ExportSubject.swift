package import Domain

/// The query of an export with the names of what it names, and who publishes it. All revisions have the same.
package struct ExportSubject: Hashable, Sendable {
    /// The day that an export is dated with, in UTC.
    package enum Day: Hashable, Sendable {
        /// It is as of the end of the day.
        case end(CivilDate)
        /// It is as of a moment of the day, which only its id repeats.
        case moment(CivilDate)

        package var date: CivilDate {
            switch self {
            case .end(let date), .moment(let date): date
            }
        }

        /// The day for `asOf`; nil for a moment.
        package var asOf: CivilDate? {
            switch self {
            case .end(let date): date
            case .moment: nil
            }
        }
    }

    /// The names of what a filter names by id or code, as of the export's day.
    package struct Names: Hashable, Sendable {
        package var scientificName: String?
        package var vernacularName: String?
        package var region: String?
        package var state: String?
        package var dataset: String?

        package init() {}
    }

    package var id: ExportID
    package var format: ExportFormat
    package var outputVersion: Int
    package var filter: RecordFilter
    package var day: Day
    package var names: Names
    /// `SKEIN_ORGANISATION`.
    package var organisation: String?
    /// `SKEIN_PUBLIC_URL`.
    package var address: String?
    /// Whether the service has, or can have, the export under its id: a file that an operator makes may be another one.
    package var isServed = true
    /// The terms of a table of ranges.
    package var ranges: RangeTerms?

    package init(
        id: ExportID, format: ExportFormat, outputVersion: Int, filter: RecordFilter, day: Day,
        names: Names = Names(), organisation: String? = nil, address: String? = nil
    ) {
        (self.id, self.format, self.outputVersion, self.filter) = (id, format, outputVersion, filter)
        (self.day, self.names, self.organisation, self.address) = (day, names, organisation, address)
    }

    /// Where the export is found; nil if the service does not know its public address, or does not have the export.
    package var url: String? {
        guard isServed, let address else { return nil }
        return (address.hasSuffix("/") ? String(address.dropLast()) : address) + "/v1/exports/\(id)"
    }

    /// The publisher of the export: the organisation, else the host of the public address, else the software. It is
    /// never a person, and a citation is incomplete without one.
    package var publisher: String { organisation ?? host ?? "Skein" }

    private var host: String? {
        guard let address, let scheme = address.firstRange(of: "://") else { return nil }
        let host = address[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return host.isEmpty ? nil : String(host)
    }
}
