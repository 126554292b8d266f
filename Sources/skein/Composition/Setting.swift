/// A setting, described once: `--help` and the table in docs/operating.md are generated from these.
struct Setting: Sendable {
    /// The environment variable.
    let name: String
    /// The flag of `serve`, or of all commands, which takes precedence.
    let flag: String?
    /// The default, in Markdown.
    let usual: String
    /// The unit of a number.
    let unit: String?
    /// A phrase in Markdown. For a number, it includes the unit and the range.
    let meaning: String
    /// More text for the table, in Markdown, with the punctuation before it.
    let remarks: String
    /// The meaning of 0, with the punctuation before it; empty where 0 means no limit.
    let zero: String

    init(
        _ name: String, flag: String? = nil, usual: String = "none", unit: String? = nil, _ meaning: String,
        remarks: String = "", zero: String = ""
    ) {
        (self.name, self.flag, self.usual, self.unit) = (name, flag, usual, unit)
        (self.meaning, self.remarks, self.zero) = (meaning, remarks, zero)
    }
}

// MARK: - Help and documents

extension Setting {
    /// The lines of `--help` for some settings.
    static func help(_ settings: [Setting]) -> String {
        settings.map(\.help).joined(separator: "\n")
    }

    /// The rows of the table in docs/operating.md.
    static var table: String {
        let head = "| flag | variable | default | meaning |\n|---|---|---|---|\n"
        return all.reduce(into: head) { table, setting in
            let flag = setting.flag.map { " `\($0)`" } ?? ""
            table += "|\(flag) | `\(setting.name)` | \(setting.usual) | "
            table += setting.meaning + setting.remarks + setting.zero + " |\n"
        }
    }

    /// The help of its flag.
    var flagHelp: String {
        let text = Self.plain(meaning + zero)
        return text.prefix(1).uppercased() + text.dropFirst() + " (\(name); default: \(plainUsual))."
    }

    /// Its lines in `--help`: the name, and beside or below it the text.
    private var help: String {
        let indent = String(repeating: " ", count: Self.textColumn)
        var lines = ["  " + name]
        if lines[0].count < Self.textColumn {
            lines[0] += String(repeating: " ", count: Self.textColumn - lines[0].count)
        } else {
            lines.append(indent)
        }
        for word in Self.plain("\(meaning)\(zero) (default: \(plainUsual))").split(separator: " ") {
            let (line, isFirst) = (lines[lines.count - 1], lines[lines.count - 1].count == Self.textColumn)
            if !isFirst, line.count + 1 + word.count > Self.columns {
                lines.append(indent + word)
            } else {
                lines[lines.count - 1] += (isFirst ? "" : " ") + word
            }
        }
        return lines.joined(separator: "\n")
    }

    private var plainUsual: String { Self.plain(usual) + (unit.map { " " + $0 } ?? "") }

    /// The columns of a terminal, without those that ArgumentParser keeps free.
    private static let columns = 78
    private static let textColumn = 22

    /// Markdown without its marks.
    private static func plain(_ markdown: String) -> String {
        markdown.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.1 }.replacing("`", with: "")
    }
}

extension SettingError {
    init(_ setting: Setting, _ rule: String) {
        self.init(setting: setting.name, rule: rule)
    }
}
