import Bytes
import Domain
import Exchange

/// The names by which a row's taxon is looked up, best first.
enum OccurrenceNames {
    private static let alternatives: [(DarwinCoreTerm, NameMeaning)] = [
        (.verbatimIdentification, .everyday), (.acceptedNameUsage, .scientific), (.vernacularName, .everyday),
    ]
    /// The record does not keep parts of a name, codes, or texts that are too long to be typed, but each of them may
    /// reveal the animal.
    private static let others: [DarwinCoreTerm] = [
        .scientificName, .taxonID, .verbatimIdentification, .acceptedNameUsage, .vernacularName,
    ]
    private static let genera: [DarwinCoreTerm] = [.genericName, .genus, .subgenus]

    /// A name of a row, and what it means if a species and its groups share it.
    struct Candidate: Hashable {
        let text: String
        let meaning: NameMeaning
    }

    static func candidates(of row: OccurrenceRow) -> [Candidate] {
        var candidates: [Candidate] = []
        let scientificName = row[.scientificName]?.trimmed ?? ""
        if let name = scientificName.isEmpty ? composed(row) : scientificName {
            candidates.append(
                Candidate(text: qualified(name, row[.identificationQualifier]), meaning: .scientific))
        }
        for (term, meaning) in alternatives {
            guard let name = row[term]?.trimmed, !name.isEmpty, !candidates.contains(where: { $0.text == name }) else {
                continue
            }
            candidates.append(Candidate(text: name, meaning: meaning))
        }
        return candidates.filter { (try? VerbatimName($0.text)) != nil }
    }

    /// Every other text that may name the animal of the row, to judge its sensitivity.
    static func others(of row: OccurrenceRow, _ candidates: [String], _ nameColumns: [Int]) -> [String] {
        var texts = others.compactMap { row[$0]?.trimmed } + nameColumns.compactMap { row[column: $0]?.trimmed }
        let parts = genera.map { row[$0]?.trimmed } + [composed(row)]
        texts += parts.compactMap(\.self).filter { !isGenus($0, of: candidates) }
        return texts.filter { !$0.isEmpty && !candidates.contains($0) }
    }

    /// Whether a name begins with this genus. The genus adds nothing then, though "Lynx" may also be an everyday name.
    private static func isGenus(_ genus: String, of candidates: [String]) -> Bool {
        candidates.contains { $0.hasPrefix(genus + " ") }
    }

    /// The columns of a file whose headings say that they name an animal: "species", "commonName", "AOU code".
    static func columns(of columns: [SourceColumn]) -> [Int] {
        columns.indices.filter { position in
            let heading = columns[position].name.lowercased().filter(\.isLetter)
            return columns[position].term == nil
                && (names.contains(heading) || partsOfNames.contains { heading.contains($0) })
        }
    }

    private static let names: Set<String> = ["name", "common", "english", "latin", "animal", "bird", "code", "alpha"]
    private static let partsOfNames = [
        "species", "taxon", "taxa", "scientific", "sciname", "latinname", "vernacular", "commonname", "comname",
        "englishname", "spanishname", "frenchname", "originalname", "animalname", "birdname", "identification",
        "codealpha", "alphacode", "bandingcode", "birdcode", "aou", "nameusage",
    ]

    /// The name composed of the columns of its parts.
    private static func composed(_ row: OccurrenceRow) -> String? {
        guard let genus = (row[.genericName] ?? row[.genus])?.trimmed, !genus.isEmpty else { return nil }
        let epithets = [row[.specificEpithet], row[.infraspecificEpithet]].compactMap { $0?.trimmed }
        return ([genus] + epithets).joined(separator: " ")
    }

    /// "cf.", "?", "probable" and "aff." may be in a column of their own; they then qualify the last word of the name.
    private static func qualified(_ name: String, _ qualifier: String?) -> String {
        guard let sign = qualifier.flatMap(TaxonNames.mark), TaxonNames.mark(in: name) == nil else { return name }
        guard let space = name.lastIndex(of: " ") else { return sign == .aff ? name : "\(name) cf." }
        return "\(name[..<space]) \(sign.rawValue).\(name[space...])"
    }
}
