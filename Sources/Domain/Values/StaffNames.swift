/// Names that only the people who run the service may have.
enum StaffNames {
    /// Whether a name is read as that of staff: in any case, with marks, spaced out, or in letters that look alike.
    static func include(_ name: String) -> Bool {
        let words = plain(name).split(separator: " ").map { skeleton(String($0)) }
        let joined = words.joined()
        return words.contains { word in beginnings.contains(where: word.hasPrefix) }
            || beginnings.contains(where: joined.hasPrefix) || whole.contains(joined)
            || (words.contains(service) && words.allSatisfy { $0 == service || titles.contains($0) })
            || (joined.hasPrefix(service) && offices.contains(where: joined.hasSuffix))
    }

    private static let service = skeleton("skein")
    private static let beginnings = ["admin", "moderator"].map(skeleton)

    /// Staff names only as a whole; within a longer name they are ordinary words.
    private static let whole = Set(
        [
            "skein", "staff", "support", "official", "operator", "root", "system", "sysop", "sysadmin", "webmaster",
            "postmaster", "helpdesk", "security", "mod", "mods",
        ].map(skeleton))

    /// Endings that a name which begins with the service's must not have.
    private static let offices = [
        "admin", "moderator", "mod", "mods", "staff", "support", "team", "official", "service", "security", "help",
        "helpdesk", "system", "operator", "bot",
    ].map(skeleton)

    /// Words that add nothing to the service's name.
    private static let titles = Set(
        offices + ["the", "real", "verified", "hq", "app", "news", "account", "accounts"].map(skeleton))

    private static func skeleton(_ word: String) -> String {
        String(decoding: Lookalikes.skeleton(Array(word.utf8)[...]), as: UTF8.self)
    }

    /// The name in lower-case Latin letters, its words separated by spaces.
    private static func plain(_ name: String) -> String {
        String(decoding: NameFolding.fold(name), as: UTF8.self).unicodeScalars.reduce(into: "") { text, scalar in
            if let letter = Lookalikes.scripts[scalar] ?? Lookalikes.letters[Character(scalar)] {
                text.append(letter)
            } else if scalar.properties.isAlphabetic {
                text.unicodeScalars.append(scalar)
            } else {
                text.append(" ")
            }
        }
    }
}
