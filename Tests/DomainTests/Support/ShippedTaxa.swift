import Domain
import Foundation
import Testing

/// The taxa and the sensitive ones that are distributed with Skein.
struct ShippedTaxa: Sendable {
    /// A line of a table.
    struct Row: Sendable {
        fileprivate let fields: [String: String]

        /// A column's text; empty where there is none.
        subscript(column: String) -> String { fields[column] ?? "" }

        /// The parts of a column, separated by "|".
        func parts(_ column: String) -> [String] { self[column].split(separator: "|").map(String.init) }

        /// The scientific name, synonyms, common names and the code.
        var names: [String] {
            [self["scientificName"]] + parts("synonyms") + parts("names").map { String($0.dropFirst(3)) }
                + parts("code")
        }
    }

    static let loaded = Result { try ShippedTaxa() }

    let rows: [Row]
    let sensitive: [Row]
    let names: TaxonNames

    private init() throws {
        rows = try ["higher", "birds", "mammals", "reptiles", "amphibians"].flatMap {
            try Self.table("taxa/\($0).tsv")
        }
        sensitive = try Self.table("sensitivity.tsv")
        let known = Dictionary(uniqueKeysWithValues: sensitive.map { ($0["scientificName"], $0) })
        let ids = Dictionary(
            uniqueKeysWithValues: try rows.enumerated().map { number, row in
                let id = UUID(uuidString: "00000000-0000-7000-8000-" + String(format: "%012d", number))
                return (row["scientificName"], TaxonID(try #require(id)))
            })
        names = TaxonNames(
            try rows.map { row in
                let sensitivity = known[row["scientificName"]]
                return TaxonEntry(
                    id: try #require(ids[row["scientificName"]]), rank: try TaxonRank(word: row["rank"]),
                    kind: try TaxonKind(word: row["kind"]), parent: ids[row["parent"]],
                    scientificName: row["scientificName"], synonyms: row.parts("synonyms"),
                    commonNames: try row.parts("names").map {
                        (try LanguageTag(String($0.prefix(2))), String($0.dropFirst(3)))
                    },
                    code: row.parts("code").first,
                    sensitivity: try sensitivity.map {
                        try SensitivityCategory(category: Int($0["category"]) ?? 0)
                    },
                    everydayNames: sensitivity?.parts("everydayNames") ?? [])
            })
    }

    private static func table(_ path: String) throws -> [Row] {
        let lines = try String(contentsOf: ShippedPlaces.root.appending(path: "share/\(path)"), encoding: .utf8)
            .split(separator: "\n")
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
        return lines.dropFirst().map { Row(fields: Dictionary(uniqueKeysWithValues: zip(lines[0], $0))) }
    }
}
