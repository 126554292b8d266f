extension TaxonNames {
    /// The taxa whose names are spelled most like a text, nearest first; ties by likeness, name and id.
    ///
    /// The cost is bounded: names that share trigrams with the text are counted, the most alike are compared in full.
    package func suggestions(for text: String, kind: TaxonKind? = nil, limit: Int) -> [TaxonHit] {
        let query = NameFolding.fold(text)
        guard query.count >= 2, query.count <= NameTable.longest, limit > 0 else { return [] }
        // Long names may hold more slips; short ones are soon another name.
        let bound = min(6, max(1, query.count / 4))
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
            guard kind == nil || tree.kinds[Int(table.taxa[name])] == kind else { continue }
            // Twice what is shared over all there is: 255 for the same trigrams. A name has about as many as bytes.
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
