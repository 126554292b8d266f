// The sensitivity of a typed name.
extension TaxonNames {
    /// The most sensitive category of a taxon and its ancestors; for a group whose species are all sensitive, also the
    /// least sensitive of theirs. Nil for none, and for an unknown id.
    package func sensitivity(of id: TaxonID) -> SensitivityCategory? {
        tree.index(of: id).flatMap { tree.sensitivities[Int($0)] }
    }

    /// The part of a typed name that an event records: the taxon that it fits, or how sensitive its meaning may be; nil
    /// if neither is known.
    ///
    /// A text that is a taxon's name is judged by that taxon alone, or by the taxa that share the name; any other text,
    /// and the name of a genus that is also an everyday name, by the most sensitive taxon that it may mean.
    package func identification(of name: String, as meaning: NameMeaning = .everyday) -> Identification? {
        let folded = NameFolding.fold(name)
        let names = table.names(equalTo: folded)
        var found = Identification()
        if case .match(let match) = resolve(folded, names, meaning) {
            found = match.identification
        } else {
            found.sensitivity = sensitivity(ofTyped: folded, names)
        }
        let other = names.isEmpty ? sensitivity(ofSeparated: name) : sensitivity(ofGenus: names, folded)
        found.sensitivity = .mostSensitive(found.sensitivity, other)
        return found == Identification() ? nil : found
    }

    private func sensitivity(ofTyped folded: [UInt8], _ names: Range<NameTable.Index>) -> SensitivityCategory? {
        names.isEmpty ? sensitivity(ofUnknown: folded) : sensitivity(of: names)
    }

    /// The category of a text whose words invisible characters separate.
    private func sensitivity(ofSeparated name: String) -> SensitivityCategory? {
        guard name.unicodeScalars.contains(where: Lookalikes.isInvisible) else { return nil }
        let folded = NameFolding.fold(name, invisiblesAsSpaces: true)
        return sensitivity(ofTyped: folded, table.names(equalTo: folded))
    }

    /// The category of an everyday name that is also the name of a genus: "Lynx".
    private func sensitivity(ofGenus names: Range<NameTable.Index>, _ folded: [UInt8]) -> SensitivityCategory? {
        guard let first = names.first, tree.ranks[Int(table.taxon(first))] == .genus else { return nil }
        return sensitive.category(ofEveryday: folded)
    }

    /// The most sensitive category of the taxa that have one of these names.
    func sensitivity(of names: Range<NameTable.Index>) -> SensitivityCategory? {
        names.reduce(nil) { .mostSensitive($0, tree.sensitivities[Int(table.taxon($1))]) }
    }

    /// The most sensitive category of the taxa that a comparable form may mean without being one of their names.
    func sensitivity(ofUnknown folded: [UInt8]) -> SensitivityCategory? {
        otherCodes.contains(folded) ? nil : sensitive.category(of: folded, others: wordsOfInsensitiveNames)
    }

    /// For each word, whether it belongs to the name of a taxon that is not sensitive, even in the plural: "Barred
    /// Owls" does not mean a Spotted Owl.
    private func wordsOfInsensitiveNames(_ words: [NameWords.Word]) -> [Bool] {
        var isPart = [Bool](repeating: false, count: words.count)
        for start in words.indices.dropLast() {
            var beginning = Array(words[start])
            for end in (start + 1)..<min(words.count, start + Self.mostWords) {
                beginning.append(UInt8(ascii: " "))
                let isName = NameWords.singulars(of: words[end]).contains { isInsensitive(beginning + $0) }
                if isName { for word in start...end { isPart[word] = true } }
                beginning += words[end]
            }
        }
        return isPart
    }

    private func isInsensitive(_ folded: [UInt8]) -> Bool {
        let names = table.names(equalTo: folded)
        return !names.isEmpty && sensitivity(of: names) == nil
    }

    /// The most words of a name that is looked for among other words.
    private static let mostWords = 6
}

extension SensitiveNames {
    /// Gathers the names of all sensitive taxa.
    init(_ entries: [TaxonEntry], _ table: NameTable, _ tree: TaxonTree, otherCodes: Set<[UInt8]>) {
        self.init(ordinaryWords: tree.wordsOfOthers(entries, table))
        for name in 0..<NameTable.Index(table.count) {
            guard let category = tree.sensitivities[Int(table.taxon(name))] else { continue }
            insert(Array(table.foldedBytes(name)), category, table.sourceRank(name) < 2 ? .scientific : .common)
        }
        for entry in entries {
            guard let index = tree.index(of: entry.id), let category = tree.sensitivities[Int(index)] else { continue }
            for name in entry.everydayNames {
                insert(NameFolding.fold(name), category, TaxonEntry.isCode(name) ? .code : .everyday)
            }
            // The last word of a group's name is too general: "lizard" of "venomous lizards" would match every lizard.
            guard entry.rank == .species || entry.rank == .subspecies else { continue }
            for code in entry.codes where !otherCodes.contains(code) { insert(code, category, .code) }
            for name in entry.commonNames where name.language == .english {
                guard let word = NameFolding.fold(name.name).split(separator: UInt8(ascii: " ")).last else { continue }
                insert(Array(word), category, .everyday)
            }
        }
    }
}

extension TaxonTree {
    /// The codes of the taxa that are not sensitive.
    func codesOfOthers(_ entries: [TaxonEntry]) -> Set<[UInt8]> {
        Set(
            entries.filter { entry in index(of: entry.id).map { sensitivities[Int($0)] == nil } ?? true }
                .compactMap(\.code).map { NameFolding.fold($0) })
    }

    /// The words of the names of the taxa that are not sensitive, and their codes.
    fileprivate func wordsOfOthers(_ entries: [TaxonEntry], _ table: NameTable) -> Set<NameWords.Word> {
        var words = Set<NameWords.Word>()
        for entry in entries {
            guard let index = index(of: entry.id), sensitivities[Int(index)] == nil else { continue }
            words.formUnion(entry.codes.map { $0[...] })
        }
        for name in 0..<NameTable.Index(table.count) where sensitivities[Int(table.taxon(name))] == nil {
            words.formUnion(table.foldedBytes(name).split { !NameWords.isLetter($0) })
        }
        return words
    }
}

extension TaxonEntry {
    /// The code of the checklist, the banding codes derived from the English names, and that of the scientific name.
    fileprivate var codes: [[UInt8]] {
        let english = kind == .bird ? commonNames.filter { $0.language == .english } : []
        return english.compactMap { BandingCode.derived(from: $0.name) } + (code.map { [NameFolding.fold($0)] } ?? [])
            + [scientificCode].compactMap(\.self)
    }

    /// "Strix occidentalis", STROCC.
    private var scientificCode: [UInt8]? {
        let words = NameFolding.fold(scientificName).split(separator: UInt8(ascii: " "))
        return rank == .species && words.count == 2 ? words.flatMap { $0.prefix(3) } : nil
    }

    /// Whether an everyday name is a code of letters: "NSO".
    fileprivate static func isCode(_ name: String) -> Bool {
        name.utf8.allSatisfy(CodeCharacters.isUpper)
    }
}
