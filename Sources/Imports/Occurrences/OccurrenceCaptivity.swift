import Bytes
import Exchange

/// Whether the organism of a row was kept or planted by people.
enum OccurrenceCaptivity {
    /// - Parameter columns: the positions that ``columns(of:)`` found.
    static func isCaptive(_ row: OccurrenceRow, _ columns: [Int]) -> Bool {
        row[.basisOfRecord]?.vocabularyForm == livingSpecimen
            || means.contains { row[$0].map(namesCaptivity) == true }
            || columns.contains { row[column: $0].map(affirms) == true }
    }

    /// The positions of the columns, other than Darwin Core's, whose headings name captivity, such as
    /// `captive_cultivated` of iNaturalist.
    static func columns(of columns: [SourceColumn]) -> [Int] {
        columns.indices.filter { columns[$0].term == nil && isHeading(columns[$0].name.vocabularyForm) }
    }

    private static let livingSpecimen = "livingspecimen"
    private static let means: [DarwinCoreTerm] = [.establishmentMeans, .degreeOfEstablishment]

    private static func isHeading(_ form: String) -> Bool {
        kept.contains(form.hasPrefix("is") ? String(form.dropFirst(2)) : form)
    }

    private static let kept: Set<String> = [
        "captive", "cultivated", "captivecultivated", "captiveorcultivated", "captivity", "incaptivity",
        "incultivation", "planted", "domesticated", "notwild",
    ]
    /// - Source: Darwin Core's controlled vocabulary of `degreeOfEstablishment`, whose terms d002 and d003 are the
    ///   first two words; `managed` is GBIF's word in its vocabulary of `establishmentMeans`.
    private static let words = kept.union(["managed", "d002", "d003"])
    private static let affirmations: Set<String> = ["true", "t", "yes", "y", "x"]

    /// A field may hold several words: "introduced | cultivated".
    private static func namesCaptivity(_ text: String) -> Bool {
        if words.contains(text.vocabularyForm) { return true }
        let parts = text.split { "|;,".contains($0) }
        return parts.count > 1 && parts.contains { words.contains($0.vocabularyForm) }
    }

    private static func affirms(_ text: String) -> Bool {
        namesCaptivity(text) || affirmations.contains(text.vocabularyForm) || DecimalText.number(text.trimmed) == 1
    }
}
