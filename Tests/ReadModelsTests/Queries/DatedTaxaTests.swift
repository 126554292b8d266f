import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import Testing

/// The names and parents of taxa as of a position.
struct DatedTaxaTests {
    private static let (order, family, wren) = (FixtureLog.number(1), FixtureLog.number(2), FixtureLog.number(3))

    /// The positions are the indexes, from 1.
    private static let life: [GeneratedEvent] = [
        taxon(order, ["scientificName": "Passeriformes", "rank": "order"]),
        taxon(
            wren,
            [
                "scientificName": "Troglodytes pacificus", "rank": "species", "parent": .id(order),
                "names": .array([name("fr", "Troglodyte"), name("en", "Winter Wren"), name("en", "Little Wren")]),
            ]),
        taxon(family, ["scientificName": "Troglodytidae", "rank": "family", "parent": .id(order)]),
        GeneratedEvent(wren, "taxon", "TaxonNamed", payload: name("en", "Pacific Wren").text),
        GeneratedEvent(wren, "taxon", "TaxonMoved", ["parent": .id(family)]),
        GeneratedEvent(wren, "taxon", "TaxonSensitivitySet", ["category": 3, "reason": "nests"]),
        GeneratedEvent(wren, "taxon", "TaxonDescribed", ["authorship": "(Baird, 1864)"]),
        GeneratedEvent(wren, "taxon", "TaxonNamed", payload: name("fr", "Troglodyte mignon").text),
        GeneratedEvent(wren, "taxon", "TaxonMoved", ["parent": .null]),
    ]

    @Test func `a taxon is named, placed and credited as it was known then`() async throws {
        try await Self.run { fixture, _ in
            #expect(
                try await fixture.told(1...9) == [
                    "", "Winter Wren, Passeriformes", "Winter Wren, Passeriformes", "Pacific Wren, Passeriformes",
                    "Pacific Wren, Troglodytidae < Passeriformes", "Pacific Wren, Troglodytidae < Passeriformes",
                    "Pacific Wren (Baird, 1864), Troglodytidae < Passeriformes",
                    "Pacific Wren (Baird, 1864), Troglodytidae < Passeriformes", "Pacific Wren (Baird, 1864), ",
                ])
            let alone = try await DatedTaxonQueries(fixture.pool).taxa([TaxonID(Self.wren)], asOf: 8)
            #expect(alone.summaries.map(\.id) == [TaxonID(Self.wren)] && alone[TaxonID(Self.order)] == nil)
            #expect(try await fixture.states() == 6, "a category changes no name")
        }
    }

    /// A redaction is a restriction: it acts on answers as of earlier days.
    @Test func `nothing that a redacted payload said is known at any position`() async throws {
        try await Self.run { fixture, writer in
            for position in [4, 5] as [Int64] {
                _ = try await fixture.redact(position)
                writer.redacted(Self.wren)
            }
            try await fixture.follow([.taxa])
            #expect(
                try await fixture.told(4...9) == [
                    "Winter Wren, Passeriformes", "Winter Wren, Passeriformes", "Winter Wren, Passeriformes",
                    "Winter Wren (Baird, 1864), Passeriformes", "Winter Wren (Baird, 1864), Passeriformes",
                    "Winter Wren (Baird, 1864), ",
                ])
            _ = try await fixture.redact(2)
            try await fixture.follow([.taxa])
            #expect(try await fixture.told(1...12).allSatisfy(\.isEmpty))
            #expect(try await fixture.states() == 0)
        }
    }

    @Test func `a lineage ends at a cycle and at an unknown parent`() async throws {
        try await Self.run { fixture, writer in
            try await writer.append([
                GeneratedEvent(Self.order, "taxon", "TaxonMoved", ["parent": .id(Self.family)]),
                GeneratedEvent(Self.wren, "taxon", "TaxonMoved", ["parent": .id(FixtureLog.number(9))]),
            ])
            try await fixture.follow([.taxa])
            let queries = DatedTaxonQueries(fixture.pool)
            let line = try await queries.lineages(of: [TaxonID(Self.order)], asOf: 11)
            #expect(line.lineage(of: TaxonID(Self.order)).map(\.summary.rank) == [.order, .family])
            #expect(try await fixture.told(11...11) == ["Pacific Wren (Baird, 1864), "])
            #expect(try await queries.taxa([], asOf: 11).summaries.isEmpty)
        }
    }

    private static func taxon(_ id: UUID, _ members: [String: JSONText]) -> GeneratedEvent {
        GeneratedEvent(id, "taxon", "TaxonAdded", members.merging(["kind": "bird"]) { $1 })
    }

    private static func name(_ language: String, _ name: String) -> JSONText {
        .object(["language": .text(language), "name": .text(name)])
    }

    private static func run(
        _ body: @Sendable (ModelFixture, inout LogWriter) async throws -> Void
    ) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.taxa])
            var writer = LogWriter(fixture.owner)
            // As a follower would, in two steps.
            try await writer.append(Array(life.prefix(4)))
            try await fixture.follow([.taxa])
            try await writer.append(Array(life.dropFirst(4)))
            try await fixture.follow([.taxa])
            try await body(fixture, &writer)
        }
    }
}

extension ModelFixture {
    /// The wren's name, author and ancestors at some positions; empty where it is not known.
    fileprivate func told(_ positions: ClosedRange<Int64>) async throws -> [String] {
        let wren = TaxonID(FixtureLog.number(3))
        var told: [String] = []
        for position in positions {
            let taxa = try await DatedTaxonQueries(pool).lineages(of: [wren], asOf: position)
            let line = taxa.lineage(of: wren)
            let name = line.first.map { [$0.summary.commonName, $0.authorship].compactMap(\.self) } ?? []
            let ancestors = line.dropFirst().map(\.summary.scientificName).joined(separator: " < ")
            told.append(line.isEmpty ? "" : "\(name.joined(separator: " ")), \(ancestors)")
        }
        return told
    }

    /// The number of the wren's states.
    fileprivate func states() async throws -> Int {
        try await pool.query(
            """
            select from \(identifier: ReadModel.taxa.schema).taxon_states where taxon = \(FixtureLog.number(3))
            """
        ).count
    }
}
