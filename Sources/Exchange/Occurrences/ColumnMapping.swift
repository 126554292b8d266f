import Bytes

/// The Darwin Core terms of columns whose headings are no such terms.
package struct ColumnMapping: Sendable, Equatable {
    /// One column given a term.
    package struct Pair: Sendable, Equatable {
        /// The column's heading in the file.
        package let theirs: String
        /// The term it stands for.
        package let ours: DarwinCoreTerm
    }

    /// The columns given a term, in the order they were given.
    package let pairs: [Pair]

    /// No column is given a term: the headings say all.
    package static let none = ColumnMapping(pairs: [])

    private init(pairs: [Pair]) {
        self.pairs = pairs
    }

    /// Reads `theirs=ours,theirs=ours,…`: the last `=` of a part divides it, so a heading may hold one.
    ///
    /// - Throws: `ColumnMappingError.malformed`, `.unknownTerm`, `.columnTwice`, `.termTwice`.
    package init(parsing text: String) throws {
        var pairs: [Pair] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard let divider = part.lastIndex(of: "=") else { throw ColumnMappingError.malformed(part) }
            let theirs = String(part[..<divider]).trimmed
            let name = String(part[part.index(after: divider)...]).trimmed
            guard !theirs.isEmpty, !name.isEmpty else { throw ColumnMappingError.malformed(part) }
            guard let ours = DarwinCoreTerm(heading: name) else { throw ColumnMappingError.unknownTerm(name) }
            guard !pairs.contains(where: { $0.theirs == theirs }) else {
                throw ColumnMappingError.columnTwice(theirs)
            }
            guard !pairs.contains(where: { $0.ours == ours }) else { throw ColumnMappingError.termTwice(ours) }
            pairs.append(Pair(theirs: theirs, ours: ours))
        }
        self.pairs = pairs
    }

    /// The term of each column: the one it is given, else the one its heading names unless another column was given
    /// that, else none.
    ///
    /// - Parameter headings: for each column the names it goes by; the last one says its term.
    /// - Throws: `ColumnMappingError.unknownColumn`, `.ambiguousTerm`.
    func terms(for headings: [[String]]) throws -> [DarwinCoreTerm?] {
        var terms = [DarwinCoreTerm?](repeating: nil, count: headings.count)
        for pair in pairs {
            guard let index = headings.firstIndex(where: { $0.contains(pair.theirs) }) else {
                throw ColumnMappingError.unknownColumn(pair.theirs, known: headings.compactMap(\.first))
            }
            terms[index] = pair.ours
        }
        let given = Set(pairs.map(\.ours))
        var columns: [DarwinCoreTerm: String] = [:]
        for (index, names) in headings.enumerated() where terms[index] == nil {
            guard let heading = names.last, let term = DarwinCoreTerm(heading: heading), !given.contains(term) else {
                continue
            }
            if let other = columns.updateValue(heading, forKey: term) {
                throw ColumnMappingError.ambiguousTerm(term, columns: [other, heading])
            }
            terms[index] = term
        }
        return terms
    }
}

/// A column mapping that makes no sense, by itself or for a file.
package enum ColumnMappingError: Error, Equatable, CustomStringConvertible {
    /// A part is not `theirs=ours`.
    case malformed(String)
    /// The right side is no Darwin Core term that Skein knows.
    case unknownTerm(String)
    /// One column is given two terms.
    case columnTwice(String)
    /// One term is given to two columns.
    case termTwice(DarwinCoreTerm)
    /// The file has no column with this heading.
    case unknownColumn(String, known: [String])
    /// Two columns name the same term by their headings.
    case ambiguousTerm(DarwinCoreTerm, columns: [String])

    /// A sentence for the person who sent or loads the file.
    package var description: String {
        switch self {
        case .malformed(let part): "\"\(part)\" is not of the form theirs=ours"
        case .unknownTerm(let name):
            "\"\(name)\" is not a Darwin Core term that Skein knows\(Self.suggestion(for: name))"
        case .columnTwice(let column): "the column \"\(column)\" is given two terms"
        case .termTwice(let term): "the term \(term.name) is given to two columns"
        case .unknownColumn(let column, let known):
            "there is no column \"\(column)\"; the columns are \(known.joined(separator: ", "))"
        case .ambiguousTerm(let term, let columns):
            "the columns \(columns.joined(separator: " and ")) both stand for \(term.name); "
                + "say which one with theirs=ours"
        }
    }

    /// The term that begins with or contains what was written, if there is just one.
    private static func suggestion(for name: String) -> String {
        let wanted = name.lowercased()
        let near = DarwinCoreTerm.allCases.filter { $0.name.lowercased().contains(wanted) }
        return near.count == 1 ? "; did you mean \(near[0].name)?" : ""
    }
}
