import Domain

extension Environment {
    /// The kinds of species that targets are chosen from.
    /// - Throws: ``SettingError``.
    func targetKinds() throws -> Set<TaxonKind> {
        guard let text = self[.targetKinds] else { return TargetTaxa.usualKinds }
        let kinds = text.split(separator: ",", omittingEmptySubsequences: false).map { word in
            TaxonKind(rawValue: word.split(separator: " ").joined(separator: " "))
        }
        guard !kinds.contains(nil) else {
            let words = TaxonKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingError(.targetKinds, "must be one or several of \(words), separated by commas")
        }
        return Set(kinds.compactMap(\.self))
    }
}
