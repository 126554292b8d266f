/// Which names inside an archive are used.
enum EntryName {
    /// The name in one form (`/` between parts, no leading `./`), or nil when the entry is left out: absolute names and
    /// names with `..` (nothing is ever unpacked, but no such entry has a place in a data archive), NUL, and what
    /// systems add by themselves (`__MACOSX/`, AppleDouble's `._name`, `.DS_Store`, `Thumbs.db`).
    static func accepted(_ raw: String?) -> String? {
        guard let raw, !raw.unicodeScalars.contains("\0") else { return nil }
        let unified = String(raw.map { $0 == "\\" ? "/" : $0 })
        guard !unified.hasPrefix("/"), !hasDriveLetter(unified) else { return nil }
        let parts = unified.split(separator: "/").filter { $0 != "." }
        guard let last = parts.last, !parts.contains("..") else { return nil }
        let isSystems = parts.first == "__MACOSX" || last.hasPrefix("._") || last == ".DS_Store" || last == "Thumbs.db"
        return isSystems ? nil : parts.joined(separator: "/")
    }

    private static func hasDriveLetter(_ name: String) -> Bool {
        let start = name.utf8.prefix(2)
        return start.count == 2 && start.last == UInt8(ascii: ":")
    }
}
