package import Domain
import Exchange

/// A format in which all records that meet a filter are sent at once, by its media type.
package enum StreamFormat: String, CaseIterable, Sendable {
    case csv = "text/csv"
    case sequence = "application/geo+json-seq"

    /// The media type without parameters, as clients name it.
    package var mediaType: String { rawValue }

    package var contentType: String { export.contentType }

    package var export: ExportFormat {
        switch self {
        case .csv: .csv
        case .sequence: .geojsonseq
        }
    }
}
