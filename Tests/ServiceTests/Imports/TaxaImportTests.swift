import Domain
import EventLog
import Foundation
import Imports
import Service
import TestSupport
import Testing

struct TaxaImportTests {
    private static let header =
        "scientificName\trank\tparent\tkind\tauthorship\tnames\tsynonyms\tdescription\tlink\tcode"

    private static func line(
        _ name: String, _ rank: String, _ parent: String = "", names: String = "", synonyms: String = "",
        description: String = ""
    ) -> String {
        [name, rank, parent, "bird", "", names, synonyms, description, "", ""].joined(separator: "\t")
    }

    private static let wrens = [
        header, line("Aves", "class"), line("Troglodytes", "genus", "Troglodytidae"),
        line(
            "Troglodytes pacificus", "species", "Troglodytes", names: "en:Pacific Wren|fr:Troglodyte de Baird",
            synonyms: "Nannus pacificus"),
        line("Troglodytidae", "family", "Aves", names: "en:Wrens"),
    ]

    @Test func `parents may come before or after their children; a second time nothing changes`() async throws {
        try await ImportFixture.run { log in
            let file = try log.write("wrens.tsv", Self.wrens)
            let first = try await TaxaImport(log: log.log).run(file)
            #expect(first.added == 4 && first.problems.isEmpty)
            let head = try await log.head()
            let second = try await TaxaImport(log: log.log).run(file)
            #expect(second.known == 4 && second.added == 0 && second.changed == 0)
            #expect(try await log.head() == head)
            let names = TaxonNames(try await LoggedTaxa(log.pool).entries())
            let wren = try #require(names.match("Nannus pacificus"))
            #expect(wren == names.match("pacific wren"))
            #expect(names.lineage(of: wren).count == 4)
        }
    }

    @Test func `the list of the distribution adds what is missing, and undoes nothing that an operator's says`()
        async throws
    {
        try await ImportFixture.run { log in
            let shipped = try log.write("a.tsv", Self.wrens)
            let imported = TaxaImport(log: log.log)
            _ = try await imported.run(shipped, existing: .kept)
            let own = [
                Self.header, Self.line("Troglodytes", "genus", "Aves"),
                Self.line("Troglodytes pacificus", "species", "Troglodytes", names: "en:Western Wren"),
            ]
            _ = try await imported.run(try log.write("b.tsv", own))
            let head = try await log.head()
            #expect(try await imported.run(shipped, existing: .kept).known == 4)
            #expect(try await log.head() == head)
            let newer = [
                Self.header,
                Self.line(
                    "Troglodytes pacificus", "species", "Troglodytes", names: "en:Pacific Wren|es:Chochín del Pacífico",
                    synonyms: "Anorthura", description: "A small wren."),
            ]
            let summary = try await imported.run(try log.write("c.tsv", newer), existing: .kept)
            #expect(summary.changed == 1)
            let names = TaxonNames(try await LoggedTaxa(log.pool).entries())
            let wren = try #require(names.match("Chochín del Pacífico"))
            #expect(wren == names.match("Anorthura") && names.summary(of: wren)?.commonName == "Western Wren")
        }
    }

    @Test func `what changed becomes events, what is not mentioned stays`() async throws {
        try await ImportFixture.run { log in
            try await _ = TaxaImport(log: log.log).run(try log.write("a.tsv", Self.wrens))
            let changed = [
                Self.header,
                Self.line(
                    "Troglodytes pacificus", "species", "Troglodytes", names: "en:Western Wren", synonyms: "Anorthura",
                    description: "A small wren."),
                Self.line("Troglodytes", "genus", "Aves"),
            ]
            let summary = try await TaxaImport(log: log.log).run(try log.write("b.tsv", changed))
            #expect(summary.changed == 2 && summary.added == 0 && summary.problems.isEmpty)
            let names = TaxonNames(try await LoggedTaxa(log.pool).entries())
            let wren = try #require(names.match("Anorthura"))
            #expect(names.summary(of: wren)?.commonName == "Western Wren")
            #expect(names.match("Nannus pacificus") == wren && names.match("Troglodyte de Baird") == wren)
            #expect(names.lineage(of: wren).count == 3)
        }
    }

    @Test func `what is not understood is told with its line, and nothing below it is taken`() async throws {
        try await ImportFixture.run { log in
            let lines = [
                Self.header, Self.line("Aves", "class"), Self.line("Alpha", "genus", "Betidae"),
                Self.line("Betidae", "family", "Alpha"), Self.line("Alpha una", "species", "Alpha"),
                Self.line("Gamma", "cohort", "Aves"), Self.line("Delta", "genus", "Nowhere"),
                Self.line("Aves", "class"), Self.line("", "genus", "Aves"), "too\tfew",
            ]
            let summary = try await TaxaImport(log: log.log).run(try log.write("a.tsv", lines))
            #expect(summary.added == 1)
            #expect(summary.problems.map(\.line) == [3, 4, 5, 6, 7, 8, 9, 10])
            #expect(summary.problems[1].reason.contains("no higher rank"))
            #expect(summary.problems[2].reason.contains("was not understood"))
            #expect(summary.problems[4].reason.contains("neither in the file nor known"))
            #expect(summary.description.contains("line 6: \"cohort\" is not a rank"))
        }
    }

    @Test func `an accepted name wins over a synonym of another taxon`() async throws {
        try await ImportFixture.run { log in
            let lines = [
                Self.header, Self.line("Una una", "species", synonyms: "Duo duo|Una vetus"),
                Self.line("Duo duo", "species"),
            ]
            let summary = try await TaxaImport(log: log.log).run(try log.write("a.tsv", lines))
            #expect(summary.added == 2 && summary.acceptedSynonyms == 1)
            let names = TaxonNames(try await LoggedTaxa(log.pool).entries())
            #expect(names.match("Duo duo") != names.match("Una una"))
            #expect(names.match("Una vetus") == names.match("Una una"))
        }
    }

    @Test func `a table that is no checklist is rejected as a whole`() async throws {
        try await ImportFixture.run { log in
            let file = try log.write("a.csv", ["species,number", "a,1"])
            await #expect(throws: TableFault.self) { try await TaxaImport(log: log.log).run(file) }
            #expect(try await log.head() == 0)
        }
    }

    @Test func `a list of sensitive taxa replaces the one before it`() async throws {
        try await ImportFixture.run { log in
            try await _ = TaxaImport(log: log.log).run(try log.write("a.tsv", Self.wrens))
            let header = "scientificName\tcategory\treason\tsource"
            let first = try log.write(
                "first.tsv",
                [
                    header, "Troglodytes pacificus\t3\tfew\tus", "Troglodytidae\t4\tmany\tus", "Nemo nullus\t1\tx\ty",
                    "Troglodytes\t9\tx\ty", "Troglodytes sp.\t1\tx\ty",
                ])
            let summary = try await SensitivityImport(log: log.log).run(first)
            #expect(summary.set == 2 && summary.problems.map(\.line) == [4, 5, 6])
            #expect(try await SensitivityImport(log: log.log).run(first).known == 2)
            let second = try log.write("second.tsv", [header, "Troglodytes pacificus\t2\tfewer\tus"])
            let replaced = try await SensitivityImport(log: log.log).run(second)
            #expect(replaced.set == 1 && replaced.cleared == 1)
            let names = TaxonNames(try await LoggedTaxa(log.pool).entries())
            #expect(names.sensitivity(of: try #require(names.match("Troglodytes pacificus"))) == .two)
            let family = try #require(names.match("Troglodytidae"))
            #expect(names.sensitivity(of: family) == .two, "its only species gives it away")

            let head = try await LogReader(log.pool).origin().position
            let beneath = try await SensitivityImport(log: log.log).run(first, existing: .kept)
            #expect(beneath.set == 0 && beneath.cleared == 0)
            #expect(try await LogReader(log.pool).origin().position == head, "what was decided stays")
        }
    }

    @Test func `everyday names come with the list, and stay when a list has no column for them`() async throws {
        try await ImportFixture.run { log in
            try await _ = TaxaImport(log: log.log).run(try log.write("a.tsv", Self.wrens))
            let old = try log.write(
                "old.tsv", ["scientificName\tcategory\treason\tsource", "Troglodytes pacificus\t3\tfew\tus"])
            let new = try log.write(
                "new.tsv",
                [
                    "scientificName\tcategory\teverydayNames\treason\tsource",
                    "Troglodytes pacificus\t3\tstumpy|Zaunkönig\tfew\tus",
                ])
            func category(_ name: String) async throws -> SensitivityCategory? {
                TaxonNames(try await LoggedTaxa(log.pool).entries()).identification(of: name)?.sensitivity
            }
            _ = try await SensitivityImport(log: log.log).run(old)
            #expect(try await category("a zaunkönig") == nil)
            let filled = try await SensitivityImport(log: log.log).run(new, existing: .kept)
            #expect(filled.set == 1, "the names are filled in")
            #expect(try await category("a zaunkönig") == .three)
            #expect(try await SensitivityImport(log: log.log).run(old).known == 1)
            #expect(try await category("stumpy") == .three)
        }
    }
}
