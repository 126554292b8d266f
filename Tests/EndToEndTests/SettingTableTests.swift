import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import skein

/// The documents of settings, against the list of them.
struct SettingTableTests {
    @Test func `the table in docs/operating.md is generated from the list`() throws {
        let file = URL(filePath: PackageRoot.path + "/docs/operating.md")
        var page = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(page.range(of: "| flag | variable | default | meaning |\n")?.lowerBound)
        let place = start..<(try #require(page.range(of: "\n\n", range: start..<page.endIndex)?.lowerBound))
        let table = Setting.table.trimmingCharacters(in: .newlines)
        if ProcessInfo.processInfo.environment["SKEIN_WRITE_GENERATED"] != nil {
            page.replaceSubrange(place, with: table)
            try Data(page.utf8).write(to: file, options: .atomic)
        } else {
            #expect(page[place] == table, "run the tests once with SKEIN_WRITE_GENERATED=1")
        }
    }

    @Test func `settings have different names, and every number is in the list`() {
        let names = Setting.all.map(\.name)
        #expect(Set(names).count == names.count && names.count > 35)
        #expect(Set(NumberSetting.all.map(\.name)).isSubset(of: names))
        #expect(NumberSetting.all.count == Set(NumberSetting.all.map(\.name)).count)
    }

    @Test func `every setting of the list is in the source once`() throws {
        let folder = URL(filePath: PackageRoot.path + "/Sources/skein/Composition")
        let files = ["NumberSetting.swift", "Setting+List.swift"].map { folder.appending(path: $0) }
        let text = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let declared = text.matches(of: /"((?:SKEIN|DATABASE|AWS)_[A-Z_]+)"/).map { String($0.1) }
        #expect(declared.sorted() == Setting.all.map(\.name).sorted())
    }

    @Test(arguments: NumberSetting.all)
    func `a number names its unit, and what 0 means`(setting: NumberSetting) throws {
        if let unit = setting.setting.unit { #expect(setting.setting.meaning.contains(unit)) }
        let row = try #require(Setting.table.split(separator: "\n").first { $0.contains("| `\(setting.name)` |") })
        switch setting.rule.zero {
        case .noLimit: #expect(!row.contains(/\b0\b/), "the page says that 0 means no limit")
        case .other(let words): #expect(row.contains("; 0: \(words)"))
        case .rejected: #expect(row.contains("; 0 is rejected"))
        }
        let page = try String(contentsOfFile: PackageRoot.path + "/docs/operating.md", encoding: .utf8)
        #expect(page.contains("Where a setting is a limit, 0 means no limit"))
    }

    @Test func `the help of serve has every setting, in lines that a terminal shows`() {
        let help = Serve.helpMessage(columns: 200)
        for setting in Setting.all { #expect(help.contains("  \(setting.name)"), "\(setting.name)") }
        for line in Setting.help(Setting.all).split(separator: "\n") {
            #expect(line.count <= 80 || !line.drop { $0 == " " }.contains(" "), "\(line)")
            #expect(!line.contains("`") && !line.contains("]("), "\(line)")
        }
        #expect(help.contains("simultaneous connections per client"))
        #expect(Setting.help([NumberSetting.databaseTimeout.setting]).contains("(default: 10 seconds)"))
    }
}
