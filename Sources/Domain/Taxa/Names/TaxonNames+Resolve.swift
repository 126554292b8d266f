/// The meaning of a typed name.
package enum NameResolution: Equatable, Sendable {
    /// One taxon.
    case match(NameMatch)
    /// Several taxa have this name.
    case ambiguous([TaxonID])
    /// No taxon has it.
    case unknown
}

/// Which of several related taxa a name means that they share.
package enum NameMeaning: Hashable, Sendable {
    /// The species, also where its genus, family or order has the name: "Osprey", "Anhinga".
    case everyday
    /// The taxon whose scientific name it is; of everyday names as ``everyday``.
    case scientific
    /// The group: "Anhinga sp."
    case group
}

/// The taxon that a typed name means.
package struct NameMatch: Equatable, Sendable {
    /// The taxon that is certain.
    package var taxon: TaxonID
    package var qualifier: TaxonQualifier?
    /// The members that a slash, a hybrid, "cf." or "aff." named.
    package var members: [TaxonID] = []
    /// The most sensitive category of the taxon, its ancestors, the members, and what the rest of the name may mean.
    package var sensitivity: SensitivityCategory?
    /// Whether all of the name was understood; else only its beginning, before an author or an unknown subspecies.
    package var isWhole = true

    /// The part that an event records.
    package var identification: Identification {
        Identification(taxon: taxon, qualifier: qualifier, sensitivity: sensitivity)
    }
}

extension TaxonNames {
    /// Finds the taxon that a name means: an accepted name, a synonym, a common name in any language, whatever its
    /// case, spaces and diacritics, or a form made of such names:
    ///
    /// | form | taxon | qualifier |
    /// |---|---|---|
    /// | "Larus sp.", "Picidae spp." | the one named | sp |
    /// | "Aechmophorus occidentalis/clarkii", "Western/Clark's Grebe" | lowest common ancestor | slash |
    /// | "Anas platyrhynchos x rubripes", "Mallard × Gadwall" | lowest common ancestor | hybrid |
    /// | "Larus cf. fuscus", "Larus fuscus?", "probable Larus fuscus" | the one named | cf |
    /// | "Larus cf. unknownus" | what is certain: the genus | cf |
    /// | "Larus aff. fuscus" | the same | aff |
    /// | "Turdus migratorius Linnaeus, 1766", an unknown subspecies | the species | - |
    ///
    /// The category of a form is that of the most sensitive taxon that any part of it may mean.
    package func resolve(_ name: String, as meaning: NameMeaning = .everyday) -> NameResolution {
        let folded = NameFolding.fold(name)
        return resolve(folded, table.names(equalTo: folded), meaning)
    }

    /// - Parameter names: those whose comparable form this is.
    func resolve(
        _ folded: [UInt8], _ names: Range<NameTable.Index>, _ meaning: NameMeaning
    ) -> NameResolution {
        switch find(names, meaning) {
        case .one(let taxon, _):
            var match = match(taxon)
            // Other taxa may have the name too, as a synonym or a common name.
            if names.count > 1 { match.sensitivity = sensitivity(of: names) }
            return .match(match)
        case .several(let taxa): return .ambiguous(taxa.map { tree.ids[Int($0)] })
        case .none: break
        }
        guard folded.count <= Self.longestForm else { return .unknown }
        let resolution = resolve(NameForm(folded: folded), meaning)
        guard case .match(var match) = resolution else { return resolution }
        // The rest of the text may name a sensitive taxon: "American Robin (Spotted Owl)".
        match.sensitivity = .mostSensitive(match.sensitivity, sensitivity(ofUnknown: folded))
        return .match(match)
    }

    /// Whether a text has a mark such as "cf.", "?" or "probable" (`cf`), or "aff." (`aff`).
    package static func mark(in text: String) -> TaxonQualifier? {
        NameForm.mark(in: NameFolding.fold(text))
    }

    /// In bytes; the work grows faster than the length.
    private static let longestForm = 250

    private func resolve(_ form: NameForm, _ meaning: NameMeaning) -> NameResolution {
        switch form {
        case .plain(let words): resolve(plain: words, meaning)
        case .indeterminate(let words): resolve(indeterminate: words)
        case .members(let qualifier, let parts): resolve(members: parts, qualifier, meaning)
        case .uncertain(.cf, let certain, let compared): resolve(doubted: compared, after: certain, meaning)
        case .uncertain(let qualifier, let certain, let compared):
            resolve(certain, compared: compared, qualifier, meaning)
        }
    }

    /// - Parameter named: the words that were looked up; all taxa with that name count for the sensitivity.
    private func match(
        _ taxon: TaxonTree.Index, _ qualifier: TaxonQualifier? = nil, members: [TaxonTree.Index] = [],
        named: NameForm.Words = [], isWhole: Bool = true
    ) -> NameMatch {
        let namesakes = sensitivity(of: table.names(equalTo: Array(named.joined(separator: " ").utf8)))
        let sensitivity = members.reduce(tree.sensitivities[Int(taxon)]) {
            .mostSensitive($0, tree.sensitivities[Int($1)])
        }
        return NameMatch(
            taxon: tree.ids[Int(taxon)], qualifier: qualifier, members: members.map { tree.ids[Int($0)] },
            sensitivity: .mostSensitive(sensitivity, namesakes), isWhole: isWhole)
    }
}

// MARK: Plain names

extension TaxonNames {
    private func resolve(plain words: NameForm.Words, _ meaning: NameMeaning) -> NameResolution {
        switch find(words, meaning) {
        case .one(let taxon, _): return .match(match(taxon, named: words))
        case .several(let taxa): return .ambiguous(taxa.map { tree.ids[Int($0)] })
        case .none: break
        }
        if let joined = joinedHybrid(words) { return joined }
        guard let taxon = beginning(of: words) else { return .unknown }
        return .match(match(taxon, isWhole: false))
    }

    /// The scientific name that a longer text begins with: before an author, or before a subspecies that is not known.
    private func beginning(of words: NameForm.Words) -> TaxonTree.Index? {
        guard !words.contains(where: NameForm.doubts.contains) else { return nil }
        for length in [3, 2] where words.count > length {
            if let taxon = scientific(words.prefix(length)) { return taxon }
        }
        // One word is a name only before an author with a year; else it would swallow every misspelled species.
        guard words.count > 1, let year = words.last, year.utf8.count == 4, Int(year) != nil,
            let taxon = scientific(words.prefix(1)), tree.ranks[Int(taxon)] <= .genus
        else { return nil }
        return taxon
    }

    /// The length of two epithets, in bytes.
    private static let longestCross = 60

    /// "Colaptes auratus auratusxcafer": a cross written as one word.
    private func joinedHybrid(_ words: NameForm.Words) -> NameResolution? {
        guard (2...3).contains(words.count), let last = words.last, last.utf8.count <= Self.longestCross else {
            return nil
        }
        for index in last.indices.dropFirst().dropLast() where last[index] == "x" {
            let parts = [words.dropLast() + [last[..<index]], [last[last.index(after: index)...]]]
            if case .match(let match) = resolve(members: parts, .hybrid, .scientific) { return .match(match) }
        }
        return nil
    }

    private func resolve(indeterminate words: NameForm.Words) -> NameResolution {
        switch find(words, .group) {
        case .one(let taxon, _):
            return .match(match(taxon, .sp))
        case .several(let taxa):
            guard let taxon = tree.lowestCommonAncestor(of: taxa) else {
                return .ambiguous(taxa.map { tree.ids[Int($0)] })
            }
            return .match(match(taxon, .sp, members: taxa))
        case .none:
            return .unknown
        }
    }
}

// MARK: Forms with several names

extension TaxonNames {
    private func resolve(
        members parts: [NameForm.Words], _ qualifier: TaxonQualifier, _ meaning: NameMeaning
    ) -> NameResolution {
        var members: [TaxonTree.Index] = []
        for part in parts {
            guard let member = member(part, of: parts, meaning) else { return namedHybrid(parts, qualifier) }
            if !members.contains(member) { members.append(member) }
        }
        guard let taxon = tree.lowestCommonAncestor(of: members) else { return .unknown }
        return .match(members.count == 1 ? match(taxon) : match(taxon, qualifier, members: members))
    }

    private static let mostMembers = 8
    private static let mostWordsOfMember = 12

    /// One part of a slash or a hybrid, which may omit the words that it shares with the first or the last part.
    private func member(
        _ part: NameForm.Words, of parts: [NameForm.Words], _ meaning: NameMeaning
    ) -> TaxonTree.Index? {
        guard let first = parts.first, let last = parts.last, parts.count <= Self.mostMembers,
            max(first.count, last.count, part.count) <= Self.mostWordsOfMember
        else { return nil }
        // "Larus argentatus/fuscus", "Colaptes auratus auratus x cafer"
        for length in stride(from: first.count - part.count, to: 0, by: -1) {
            if let taxon = scientific(first.prefix(length) + part) { return taxon }
        }
        if case .one(let taxon, _) = find(part, meaning) { return taxon }
        // "Larus argentatus/L. fuscus"
        if let genus = first.first, let initial = part.first, initial.count == 1, genus.hasPrefix(initial) {
            if let taxon = scientific([genus] + part.dropFirst()) { return taxon }
        }
        // "Western/Clark's Grebe"
        for length in stride(from: 1, to: last.count, by: 1) {
            if case .one(let taxon, _) = find(part + last.suffix(length), meaning) { return taxon }
        }
        return nil
    }

    /// "Mentha × piperita": a hybrid with a name of its own, or else one of its genus.
    private func namedHybrid(_ parts: [NameForm.Words], _ qualifier: TaxonQualifier) -> NameResolution {
        guard qualifier == .hybrid, parts.count == 2, parts[0].count == 1, parts[1].count == 1 else { return .unknown }
        if let taxon = scientific(parts[0] + parts[1]) { return .match(match(taxon)) }
        guard let genus = scientific(parts[0]), tree.ranks[Int(genus)] == .genus else { return .unknown }
        return .match(match(genus, .hybrid, isWhole: false))
    }

    /// "Larus cf. fuscus", "Osprey?": the taxon that is named, or as much of it as is known.
    private func resolve(
        doubted words: NameForm.Words, after certain: NameForm.Words, _ meaning: NameMeaning
    ) -> NameResolution {
        let whole = certain + words
        // "Osprey? Bald Eagle" names two: the first counts, if the other one is not below it.
        let first = certain.isEmpty ? nil : one(certain, words.isEmpty ? meaning : .scientific)
        let named = one(whole, meaning) ?? one(words, meaning) ?? beginning(of: whole)
        if let named, first.map({ tree.lineage(of: named).contains($0) }) ?? true {
            return .match(match(named, .cf, members: [named], named: words))
        }
        guard let first else { return .unknown }
        return .match(match(first, .cf, members: named.map { [$0] } ?? [], named: certain))
    }

    private func one(_ words: NameForm.Words, _ meaning: NameMeaning) -> TaxonTree.Index? {
        guard case .one(let taxon, _) = find(words, meaning) else { return nil }
        return taxon
    }

    private func resolve(
        _ certain: NameForm.Words, compared: NameForm.Words, _ qualifier: TaxonQualifier, _ meaning: NameMeaning
    ) -> NameResolution {
        let candidate = one(certain + compared, meaning) ?? one(compared, meaning)
        let members = candidate.map { [$0] } ?? []
        if !certain.isEmpty, let taxon = one(certain, .scientific) {
            return .match(match(taxon, qualifier, members: members))
        }
        guard let candidate, let taxon = certainAncestor(of: candidate, named: compared) else { return .unknown }
        return .match(match(taxon, qualifier, members: members))
    }

    /// For a name that is doubted as a whole: the parent of the highest taxon that it names.
    private func certainAncestor(of taxon: TaxonTree.Index, named words: NameForm.Words) -> TaxonTree.Index? {
        let highest = words.count > 1 ? scientific(words.prefix(1)) ?? taxon : taxon
        guard tree.lineage(of: taxon).contains(highest) else { return tree.parent(of: taxon) }
        return tree.parent(of: highest)
    }
}

// MARK: Looking up

extension TaxonNames {
    /// The taxa that have a name.
    enum Found: Equatable {
        case none
        case one(TaxonTree.Index, isScientific: Bool)
        case several([TaxonTree.Index])
    }

    /// Accepted names come before synonyms, and these before common names; the meaning says which of several related
    /// taxa has the name. Where it does not, the name is the taxon's that the others belong to.
    private func find(_ names: Range<NameTable.Index>, _ meaning: NameMeaning) -> Found {
        guard let first = names.first else { return .none }
        let rank = table.sourceRank(first)
        if meaning == .everyday || meaning == .scientific && rank == 2, let species = onlySpecies(names) {
            return species
        }
        var taxa: [TaxonTree.Index] = []
        for name in names where table.sourceRank(name) == rank {
            let taxon = table.taxon(name)
            if !taxa.contains(taxon) { taxa.append(taxon) }
        }
        if taxa.count == 1 { return .one(taxa[0], isScientific: rank < 2) }
        if let highest = tree.lowestCommonAncestor(of: taxa), taxa.contains(highest) {
            return .one(highest, isScientific: rank < 2)
        }
        return .several(taxa)
    }

    /// The species that has a name, if all other taxa with the name are its groups or its subspecies.
    private func onlySpecies(_ names: Range<NameTable.Index>) -> Found? {
        guard names.count > 1,
            let name = names.first(where: { tree.ranks[Int(table.taxon($0))] == .species })
        else { return nil }
        let species = table.taxon(name)
        let groups = tree.lineage(of: species)
        let isOnly = names.allSatisfy { other in
            groups.contains(table.taxon(other)) || tree.lineage(of: table.taxon(other)).contains(species)
        }
        return isOnly ? .one(species, isScientific: table.sourceRank(name) < 2) : nil
    }

    private func find(_ words: some Sequence<Substring>, _ meaning: NameMeaning) -> Found {
        find(table.names(equalTo: Array(words.joined(separator: " ").utf8)), meaning)
    }

    private func scientific(_ words: some Sequence<Substring>) -> TaxonTree.Index? {
        guard case .one(let taxon, isScientific: true) = find(words, .scientific) else { return nil }
        return taxon
    }
}
