import Domain
import Exchange
import FoundationEssentials

/// Findings as a table: CSV in UTF-8, one row each.
enum FindingTable {
    /// A column, which is empty where a finding has no value.
    private struct Column: Sendable {
        let name: String
        let text: @Sendable (Finding) -> String

        init<Value: CustomStringConvertible & Sendable>(
            _ name: String, _ value: @escaping @Sendable (Finding) -> Value?
        ) {
            self.name = name
            text = { value($0).map(\.description) ?? "" }
        }
    }

    private static let columns = observation + place + record

    private static let observation: [Column] = [
        Column("id") { $0.id },
        Column("publicId") { $0.publicID },
        Column("status") { $0.status.rawValue },
        Column("scientificName") { $0.taxon?.scientificName },
        Column("commonName") { $0.taxon?.commonName },
        Column("verbatimName") { $0.verbatimName },
        Column("count") { $0.details.count?.value },
        Column("confidence") { $0.details.confidence?.value },
        Column("observedAt") { $0.details.observed.value.description },
    ]

    private static let place: [Column] = [
        Column("latitude") { $0.details.coordinate.latitude },
        Column("longitude") { $0.details.coordinate.longitude },
        Column("uncertaintyMetres") { $0.details.uncertainty?.value },
        Column("state") { $0.details.place.state },
        Column("region") { $0.details.place.region },
    ]

    private static let record: [Column] = [
        Column("captive") { $0.details.captive },
        Column("licence") { $0.details.licence?.rawValue },
        Column("geoprivacy") { $0.details.geoprivacy?.rawValue },
        Column("notes") { $0.notes },
        Column("protocol") { $0.details.surveyProtocol?.rawValue },
        Column("visitId") { $0.details.visit?.id },
        Column("photos") { $0.photos.map(\.id.description).joined(separator: " ") },
        Column("recordedAt") { $0.createdAt.text() },
    ]

    /// The names of the columns, with the line's end.
    static var header: [UInt8] {
        var bytes: [UInt8] = []
        DelimitedWriter().append(columns.map(\.name), to: &bytes)
        return bytes
    }

    /// A row for each finding.
    static func rows(_ findings: [Finding]) -> [UInt8] {
        var bytes: [UInt8] = []
        for finding in findings { DelimitedWriter().append(columns.map { $0.text(finding) }, to: &bytes) }
        return bytes
    }
}
