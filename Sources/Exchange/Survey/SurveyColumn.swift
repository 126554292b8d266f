/// A column of a table of a survey, version `survey-1`. `docs/exports.md` lists them, and a test compares the two.
///
/// Columns are only ever added, at the end of a table.
package struct SurveyColumn: Hashable, Sendable {
    /// The heading.
    package let name: String
    /// The identifier of its term in Darwin Core; nil without one.
    package let term: String?
    package let kind: OccurrenceColumn.Kind
    package let unit: String?

    private init(_ name: String, _ term: String?, _ kind: OccurrenceColumn.Kind, _ unit: String?) {
        (self.name, self.term, self.kind, self.unit) = (name, term, kind, unit)
    }

    fileprivate static func term(_ name: String, _ column: OccurrenceColumn) -> Self {
        Self(name, column.term, column.kind, column.unit)
    }

    fileprivate static func own(_ name: String, _ kind: OccurrenceColumn.Kind = .text, unit: String? = nil) -> Self {
        Self(name, nil, kind, unit)
    }
}

/// A table of a survey.
package enum SurveyTable: String, CaseIterable, Sendable {
    case visits, detections
    /// Taxa whose absence must not be derived.
    case noAbsence = "no-absence"

    /// The name of its file.
    package var file: String { rawValue + ".csv" }

    package var columns: [SurveyColumn] {
        switch self {
        case .visits:
            [
                .term("visit", .eventID), .term("dataset", .datasetID), .term("from", .eventDate),
                .term("to", .eventDate), .term("cellLatitude", .decimalLatitude),
                .term("cellLongitude", .decimalLongitude), .term("protocol", .samplingProtocol),
                .own("minutes", .integer, unit: "minute"), .own("distanceKm", .decimal, unit: "kilometre"),
                .own("observers", .integer), .own("complete", .boolean), .own("listLength", .integer),
            ]
        case .detections:
            [
                .term("visit", .eventID), .term("taxon", .taxonID), .term("scientificName", .scientificName),
                .term("count", .individualCount), .term("occurrenceID", .occurrenceID),
            ]
        case .noAbsence:
            [.term("taxon", .taxonID), .term("scientificName", .scientificName), .own("category", .integer)]
        }
    }
}
