import Domain
import Exchange
import FoundationEssentials

/// Findings as a table: CSV in UTF-8, one row each.
enum FindingTable {
    private static let columns = [
        "id", "publicId", "status", "scientificName", "commonName", "verbatimName", "count", "confidence", "observedAt",
        "latitude", "longitude", "uncertaintyMetres", "state", "region", "captive", "licence", "geoprivacy", "notes",
        "protocol", "visitId", "photos", "recordedAt",
    ]

    /// The names of the columns, with the line's end.
    static var header: [UInt8] {
        var bytes: [UInt8] = []
        DelimitedWriter().append(columns, to: &bytes)
        return bytes
    }

    /// A row for each finding.
    static func rows(_ findings: [Finding]) -> [UInt8] {
        var bytes: [UInt8] = []
        for finding in findings { DelimitedWriter().append(fields(finding), to: &bytes) }
        return bytes
    }

    private static func fields(_ finding: Finding) -> [String] {
        observation(finding) + place(finding.details) + record(finding)
    }

    private static func observation(_ finding: Finding) -> [String] {
        [
            finding.id.description, text(finding.publicID), finding.status.rawValue,
            text(finding.taxon?.scientificName), text(finding.taxon?.commonName), text(finding.verbatimName),
            text(finding.details.count?.value), text(finding.details.confidence?.value),
            finding.details.observed.value.description,
        ]
    }

    private static func place(_ details: SightingDetails) -> [String] {
        [
            text(details.coordinate.latitude), text(details.coordinate.longitude), text(details.uncertainty?.value),
            text(details.place.state), text(details.place.region),
        ]
    }

    private static func record(_ finding: Finding) -> [String] {
        let details = finding.details
        return [
            text(details.captive), text(details.licence?.rawValue), text(details.geoprivacy?.rawValue),
            text(finding.notes),
            text(details.surveyProtocol?.rawValue), text(details.visit?.id),
            finding.photos.map(\.id.description).joined(separator: " "), finding.createdAt.text(),
        ]
    }

    private static func text(_ value: (some CustomStringConvertible)?) -> String {
        value.map { $0.description } ?? ""
    }
}
