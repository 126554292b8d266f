package import Domain

extension ExportFormat {
    package var contentType: String {
        switch self {
        case .csv, .ranges: "text/csv; charset=utf-8"
        case .tsv: "text/tab-separated-values; charset=utf-8"
        case .geojson: "application/geo+json"
        case .geojsonseq: "application/geo+json-seq"
        case .dwca, .survey: "application/zip"
        }
    }

    /// The end of a file's name, without the dot.
    package var fileExtension: String {
        switch self {
        case .csv, .ranges: "csv"
        case .tsv: "tsv"
        case .geojson: "geojson"
        case .geojsonseq: "geojsonseq"
        case .dwca, .survey: "zip"
        }
    }

    /// The encoder of a format that is a text with a part for each record; nil for archives and tables.
    package var encoder: (any OccurrenceEncoder)? {
        switch self {
        case .csv: DelimitedOccurrenceEncoder(.commas)
        case .tsv: DelimitedOccurrenceEncoder(.tabs)
        case .geojson: GeoJSONOccurrenceEncoder(.collection)
        case .geojsonseq: GeoJSONOccurrenceEncoder(.sequence)
        case .dwca, .ranges, .survey: nil
        }
    }
}
