internal import Bytes
internal import Domain
internal import Exchange

/// The names by which a row's taxon is looked up, best first.
enum OccurrenceNames {
    static func candidates(of row: OccurrenceRow) -> [String] {
        var candidates: [String] = []
        if let name = row[.scientificName]?.trimmed, !name.isEmpty {
            candidates.append(qualified(name, row[.identificationQualifier]))
        } else if let genus = (row[.genericName] ?? row[.genus])?.trimmed, !genus.isEmpty {
            let parts = [genus] + [row[.specificEpithet], row[.infraspecificEpithet]].compactMap { $0?.trimmed }
            candidates.append(qualified(parts.joined(separator: " "), row[.identificationQualifier]))
        }
        for term in [DarwinCoreTerm.verbatimIdentification, .acceptedNameUsage, .vernacularName] {
            if let name = row[term]?.trimmed, !name.isEmpty, !candidates.contains(name) { candidates.append(name) }
        }
        return candidates.filter { (try? VerbatimName($0)) != nil }
    }

    /// "cf." and "aff." may be in a column of their own; they then qualify the last word of the name.
    private static func qualified(_ name: String, _ qualifier: String?) -> String {
        guard let sign = qualifier?.trimmed.lowercased().prefix(while: \.isLetter), sign == "cf" || sign == "aff",
            let space = name.lastIndex(of: " "), !name.contains("cf."), !name.contains("aff.")
        else { return name }
        return "\(name[..<space]) \(sign).\(name[space...])"
    }
}
