import Domain

extension Environment {
    static let targetKindsHelp = "kinds of species that targets are chosen from, such as bird,mammal (default: bird)"

    /// The kinds of species that targets are chosen from, `SKEIN_TARGET_KINDS`.
    /// - Throws: ``SettingError``.
    func targetKinds() throws -> Set<TaxonKind> {
        guard let text = self["SKEIN_TARGET_KINDS"] else { return TargetTaxa.usualKinds }
        let kinds = text.split(separator: ",", omittingEmptySubsequences: false).map { word in
            TaxonKind(rawValue: word.split(separator: " ").joined(separator: " "))
        }
        guard !kinds.contains(nil) else {
            let words = TaxonKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingError(
                setting: "SKEIN_TARGET_KINDS", rule: "must be one or several of \(words), separated by commas")
        }
        return Set(kinds.compactMap(\.self))
    }
}
