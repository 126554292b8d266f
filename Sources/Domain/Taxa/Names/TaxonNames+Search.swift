/// A taxon that a search found.
package struct TaxonHit: Hashable, Sendable {
    /// How a name matches a search, best first.
    package enum Quality: Int, Comparable, Sendable {
        /// The name equals the search text.
        case exact
        /// The words of the search text are words of the name.
        case words
        /// The name begins with the search text.
        case prefix
        /// Words of the name begin with the words of the search text.
        case beginnings
        /// The name contains the search text.
        case infix
        /// The name is spelled similarly.
        case similar

        /// Less is better.
        package static func < (one: Self, other: Self) -> Bool {
            one.rawValue < other.rawValue
        }
    }

    package let taxon: TaxonID
    /// The name that matched, as it is written.
    package let name: String
    /// How the name belongs to the taxon.
    package let source: NameSource
    /// How well the name matches.
    package let quality: Quality
}

extension TaxonNames {
    /// Finds taxa by beginnings, words or parts of their names, and by similar names where nothing else is found.
    ///
    /// Best first: by quality, then names in use before synonyms, then species before genera, higher taxa and
    /// subspecies, then by name and id. A taxon comes once, with its best name.
    /// - Parameter limit: how many to return at most.
    package func search(_ text: String, kind: TaxonKind? = nil, limit: Int) -> [TaxonHit] {
        let query = NameFolding.fold(text)
        guard !query.isEmpty, query.count <= NameTable.longest, limit > 0 else { return [] }
        var ranked = Ranking(kind: kind)
        addWords(query[...], to: &ranked)
        if query.count >= 3, !ranked.holds(limit, in: self) { addInfixes(query[...], to: &ranked) }
        let hits = hits(ranked, limit: limit)
        return hits.isEmpty ? suggestions(for: text, kind: kind, limit: limit) : hits
    }

    /// Names and how well they match, as numbers that sort in display order.
    private struct Ranking {
        let kind: TaxonKind?
        var keys: [UInt64] = []

        /// Whether at least this many taxa were found.
        func holds(_ limit: Int, in names: TaxonNames) -> Bool {
            var taxa = Set<TaxonTree.Index>()
            return keys.contains { key in
                taxa.insert(names.table.taxon(NameTable.Index(truncatingIfNeeded: key)))
                return taxa.count == limit
            }
        }

        mutating func add(_ name: NameTable.Index, _ quality: TaxonHit.Quality, in names: TaxonNames) {
            let taxon = Int(names.table.taxon(name))
            guard kind == nil || kind == names.tree.kinds[taxon] else { return }
            let group = TaxonNames.group(of: names.tree.ranks[taxon])
            let isSynonym: UInt64 = names.table.sourceRank(name) == 1 ? 1 : 0
            keys.append(UInt64(quality.rawValue) << 48 | isSynonym << 40 | UInt64(group) << 32 | UInt64(name))
        }
    }

    /// Species first, then genera, then higher taxa, then subspecies.
    private static func group(of rank: TaxonRank) -> Int {
        switch rank {
        case .species: 0
        case .genus: 1
        case .kingdom, .phylum, .class, .order, .suborder, .family, .subfamily, .tribe: 2
        case .subspecies: 3
        }
    }

    private func addWords(_ query: ArraySlice<UInt8>, to ranking: inout Ranking) {
        let tokens = query.split(separator: UInt8(ascii: " "))
        let ranges = tokens.map { (token: $0, words: words.range(startingWith: $0, in: table)) }
        guard let rarest = ranges.min(by: { $0.words.count < $1.words.count }) else { return }
        var seen = Set<NameTable.Index>()
        for word in rarest.words {
            let name = words.name(word)
            guard seen.insert(name).inserted else { continue }
            if let quality = Self.quality(of: table.foldedBytes(name), for: query, tokens) {
                ranking.add(name, quality, in: self)
            }
        }
    }

    private static func quality(
        of name: ArraySlice<UInt8>, for query: ArraySlice<UInt8>, _ tokens: [ArraySlice<UInt8>]
    ) -> TaxonHit.Quality? {
        if name.elementsEqual(query) { return .exact }
        let words = name.split(separator: UInt8(ascii: " "))
        // One or two letters are more likely the beginning of a word than a whole one.
        if query.count >= 3, tokens.allSatisfy(words.contains) { return .words }
        if name.starts(with: query) { return .prefix }
        return tokens.allSatisfy { token in words.contains { $0.starts(with: token) } } ? .beginnings : nil
    }

    private func addInfixes(_ query: ArraySlice<UInt8>, to ranking: inout Ranking) {
        let runs = TrigramIndex.distinct(query, padded: false).map { trigrams.names(with: $0) }
        guard let rarest = runs.min(by: { $0.count < $1.count }) else { return }
        for name in rarest where Self.contains(table.foldedBytes(name), query) {
            ranking.add(name, .infix, in: self)
        }
    }

    private static func contains(_ name: ArraySlice<UInt8>, _ part: ArraySlice<UInt8>) -> Bool {
        guard name.count >= part.count else { return false }
        return (name.startIndex...(name.endIndex - part.count)).contains { name[$0...].starts(with: part) }
    }

    private func hits(_ ranking: Ranking, limit: Int) -> [TaxonHit] {
        var hits: [TaxonHit] = []
        var seen = Set<TaxonTree.Index>()
        for key in ranking.keys.sorted() {
            let name = NameTable.Index(truncatingIfNeeded: key)
            guard seen.insert(table.taxon(name)).inserted else { continue }
            hits.append(hit(name, TaxonHit.Quality(rawValue: Int(key >> 48)) ?? .infix))
            if hits.count == limit { break }
        }
        return hits
    }

    func hit(_ name: NameTable.Index, _ quality: TaxonHit.Quality) -> TaxonHit {
        TaxonHit(
            taxon: tree.ids[Int(table.taxon(name))], name: table.text(name), source: table.source(name),
            quality: quality)
    }
}

extension TaxonNames {
    /// The taxa whose names are spelled most like a text, nearest first; ties by likeness, name and id.
    ///
    /// The cost is bounded: names that share trigrams with the text are counted, the most alike are compared in full.
    package func suggestions(for text: String, kind: TaxonKind? = nil, limit: Int) -> [TaxonHit] {
        let query = NameFolding.fold(text)
        let bound = Self.editsTolerated(in: query)
        guard query.count >= 2, query.count <= table.longestName + bound, limit > 0 else { return [] }
        var near: [(slips: Int, unlikeness: Int, name: NameTable.Index)] = []
        for candidate in mostAlike(query, kind: kind) {
            let bytes = table.foldedBytes(candidate.name)
            guard let slips = EditDistance.between(query[...], bytes, atMost: bound) else { continue }
            near.append((slips, 255 - candidate.likeness, candidate.name))
        }
        near.sort { $0 < $1 }
        var hits: [TaxonHit] = []
        var seen = Set<TaxonTree.Index>()
        for (slips, _, name) in near where seen.insert(table.taxon(name)).inserted {
            hits.append(hit(name, slips == 0 ? .exact : .similar))
            if hits.count == limit { break }
        }
        return hits
    }

    /// Longer names may have more edits; in a short name, few edits make another name.
    static func editsTolerated(in folded: [UInt8]) -> Int {
        min(6, max(1, folded.count / 4))
    }

    /// How many names are compared in full.
    private static let mostCandidates = 400

    /// The names that share the greatest part of their trigrams with a text.
    private func mostAlike(_ query: [UInt8], kind: TaxonKind?) -> [(name: NameTable.Index, likeness: Int)] {
        let wanted = TrigramIndex.distinct(query, padded: true)
        var shared = [UInt8](repeating: 0, count: table.count)
        for trigram in wanted {
            for name in trigrams.names(with: trigram) where shared[Int(name)] < .max { shared[Int(name)] += 1 }
        }
        var byLikeness = [[NameTable.Index]](repeating: [], count: 256)
        for name in shared.indices where shared[name] > 0 {
            guard kind == nil || tree.kinds[Int(table.taxon(NameTable.Index(name)))] == kind else { continue }
            // Dice's coefficient, scaled to 255. A name has about as many trigrams as bytes.
            let all = wanted.count + table.foldedBytes(NameTable.Index(name)).count
            byLikeness[min(255, 510 * Int(shared[name]) / all)].append(NameTable.Index(name))
        }
        var alike: [(NameTable.Index, Int)] = []
        for likeness in byLikeness.indices.reversed() {
            for name in byLikeness[likeness].prefix(Self.mostCandidates - alike.count) {
                alike.append((name, likeness))
            }
        }
        return alike
    }
}

/// The edit distance of two texts: a letter left out, added or changed, or two neighbours swapped, counts 1.
enum EditDistance {
    /// The number of edits; nil above the bound.
    /// - Source: optimal string alignment (Damerau 1964), kept to the diagonals that can still be within the bound.
    static func between(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>, atMost bound: Int) -> Int? {
        guard abs(one.count - other.count) <= bound else { return nil }
        let (rows, columns) = (Array(one), Array(other))
        let tooMany = bound + 1
        var beforeLast = [Int](repeating: tooMany, count: columns.count + 1)
        var last = (0...columns.count).map { min($0, tooMany) }
        var current = beforeLast
        for row in 1..<(rows.count + 1) {
            // Only the two cells next to the band of diagonals are read besides it.
            let first = max(1, row - bound)
            let end = min(columns.count, row + bound) + 1
            current[first - 1] = first == 1 && row <= bound ? row : tooMany
            if end <= columns.count { current[end] = tooMany }
            var best = current[first - 1]
            for column in first..<max(first, end) {
                let isEqual = rows[row - 1] == columns[column - 1]
                var slips = min(last[column - 1] + (isEqual ? 0 : 1), last[column] + 1, current[column - 1] + 1)
                if row > 1, column > 1, rows[row - 1] == columns[column - 2], rows[row - 2] == columns[column - 1] {
                    slips = min(slips, beforeLast[column - 2] + 1)
                }
                current[column] = min(slips, tooMany)
                best = min(best, current[column])
            }
            if best > bound { return nil }
            (beforeLast, last, current) = (last, current, beforeLast)
        }
        return last[columns.count] <= bound ? last[columns.count] : nil
    }
}
