/// A format of bulk answers.
package enum BulkFormat: String, CaseIterable, Hashable, Sendable {
    case csv, tsv, geojson, geojsonseq, dwca

    package var contentType: String {
        switch self {
        case .csv: "text/csv; charset=utf-8"
        case .tsv: "text/tab-separated-values; charset=utf-8"
        case .geojson: "application/geo+json"
        case .geojsonseq: "application/geo+json-seq"
        case .dwca: "application/zip"
        }
    }

    /// The end of a file's name, without the dot.
    package var fileExtension: String {
        switch self {
        case .csv: "csv"
        case .tsv: "tsv"
        case .geojson: "geojson"
        case .geojsonseq: "geojsonseq"
        case .dwca: "zip"
        }
    }

    /// The encoder of the format; nil for Darwin Core archives, which hold several files.
    package var encoder: (any OccurrenceEncoder)? {
        switch self {
        case .csv: DelimitedOccurrenceEncoder(.commas)
        case .tsv: DelimitedOccurrenceEncoder(.tabs)
        case .geojson: GeoJSONOccurrenceEncoder(.collection)
        case .geojsonseq: GeoJSONOccurrenceEncoder(.sequence)
        case .dwca: nil
        }
    }
}

/// Writes occurrences as a text: the same occurrences always give the same bytes.
package protocol OccurrenceEncoder: Sendable {
    /// How many control characters became spaces in the values of the occurrences so far.
    var replacedCharacters: Int { get }

    /// Appends what comes before the first occurrence.
    mutating func begin(into bytes: inout [UInt8])
    mutating func append(_ occurrence: OutgoingOccurrence, to bytes: inout [UInt8])
    /// Appends what comes after the last occurrence.
    mutating func end(into bytes: inout [UInt8])
}
