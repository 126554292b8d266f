import Domain
import EventLog
import Exchange
import Foundation
import Imports
import Service
import TestSupport
import Testing

@Suite(.serialized)
struct RealRecordsTests {
    private static let shipped = ["higher", "birds", "mammals", "reptiles", "amphibians"]

    private static func loadShipped(_ log: ImportFixture) async throws -> TaxonNames {
        for name in shipped {
            let summary = try await TaxaImport(log: log.log).run(PackageRoot.path + "/share/taxa/\(name).tsv")
            #expect(summary.problems.isEmpty && summary.added > 0)
        }
        return TaxonNames(try await LoggedTaxa(log.pool).entries())
    }

    @Test func `shipped taxa and sensitivity load whole, and a second time change nothing`() async throws {
        try await ImportFixture.run { log in
            let names = try await Self.loadShipped(log)
            #expect(names.count > 2500)
            let list = PackageRoot.path + "/share/sensitivity.tsv"
            let sensitive = try await SensitivityImport(log: log.log).run(list)
            #expect(sensitive.problems.isEmpty && sensitive.set >= 30)
            let head = try await log.head()
            for name in Self.shipped {
                let again = try await TaxaImport(log: log.log).run(PackageRoot.path + "/share/taxa/\(name).tsv")
                #expect(again.added == 0 && again.changed == 0 && again.problems.isEmpty)
            }
            #expect(try await SensitivityImport(log: log.log).run(list).known == sensitive.set)
            #expect(try await log.head() == head)
        }
    }

    @Test func `the shipped places have names forevery state and region`() throws {
        let places = try ImportFixture.shippedPlaces.get()
        #expect(places.regions.count == 14)
        for region in places.regions {
            for state in region.members { #expect(places.states[state]?.name.isEmpty == false) }
        }
        let capeMay = try Coordinate(latitude: 38.93, longitude: -74.96)
        #expect(places.index.locate(capeMay).state?.text == "US-NJ")
        #expect(places.states[try StateCode("US-PR")]?.name == "Puerto Rico")
    }

    @Test(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
    func `all wrens come in, and are known the second time`() async throws {
        try await ImportFixture.run { log in
            let names = try await Self.loadShipped(log)
            let file = TestData.url("bbs_pacific_wren/occurrence.csv").path(percentEncoded: false)
            let rejected = log.folder.appending(path: "refused.csv").path(percentEncoded: false)
            let first = try await log.importRows(file, names: names) { $0.rejectedRows = rejected }
            #expect(first.accepted == 5480 && first.rejectedTotal == 0 && first.withoutTaxon == 0)
            let standing = try await log.standing()
            #expect(standing.count == 5480)
            #expect(standing.allSatisfy { $0.details.place.state != nil && $0.details.licence == .cc0 })
            let second = try await log.importRows(file, names: names) { $0.rejectedRows = rejected }
            #expect(second.known == 5480 && second.accepted == 0)
            #expect(!FileManager.default.fileExists(atPath: rejected))
        }
    }

    @Test(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
    func `the first 20,000 rows of NEON come in, equal ones and years without days among them`() async throws {
        try await ImportFixture.run { log in
            let names = try await Self.loadShipped(log)
            let file = try Self.beginning(
                of: TestData.url("neon_landbirds/neon_landbirds.csv.gz").path(percentEncoded: false), lines: 20_001)
            let path = try log.write("neon.csv", file)
            let summary = try await log.importRows(path, names: names) { $0.licence = .by }
            #expect(summary.accepted == 20_000 && summary.rejectedTotal == 0)
            #expect(summary.withoutTaxon < 100)
            let standing = try await log.standing()
            #expect(standing.count == 20_000)
            #expect(standing.allSatisfy { $0.details.observed.precision == .year })
            #expect(Set(standing.compactMap { $0.occurrence?.text }).count < 20_000)
            #expect(try await log.importRows(path, names: names).known == 20_000)
        }
    }

    @Test(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
    func `known rows of NEON get their visits, and nothing else`() async throws {
        try await ImportFixture.run { log in
            let lines = try Self.beginning(
                of: TestData.url("neon_landbirds/neon_landbirds.csv.gz").path(percentEncoded: false), lines: 5_001)
            let path = try log.write("neon.csv", lines)
            let first = try await log.importRows(path)
            let visits = try VisitNaming(parsing: "eventID,pointkey,bout", isComplete: true)
            let second = try await log.importRows(path) { $0.visits = visits }
            #expect(second.known == 5_000 && second.revisited == 5_000 && second.withoutVisit == 0)
            #expect(second.corrected == 0 && second.accepted == 0)
            let standing = try await log.standing()
            #expect(standing.allSatisfy { $0.rowVisit?.isComplete == true && $0.batch == first.batch })
            // Columns 1, 3 and 4 are the event, the bout and the point; no earlier one has a comma in it.
            let named = Set(lines.dropFirst().map { $0.split(separator: ",").map(String.init)[1...4].joined() })
            #expect(Set(standing.compactMap(\.rowVisit)).count == named.count && named.count > 100)
        }
    }

    @Test(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
    func `no name of a bird of NEON that is not sensitive is generalised`() async throws {
        try await ImportFixture.run { log in
            _ = try await Self.loadShipped(log)
            _ = try await SensitivityImport(log: log.log).run(PackageRoot.path + "/share/sensitivity.tsv")
            let names = TaxonNames(try await LoggedTaxa(log.pool).entries())
            let file = TestData.url("neon_landbirds/neon_landbirds.csv.gz").path(percentEncoded: false)
            let source = try OccurrenceSource.open(file, options: .init())
            var seen = Set<[String]>()
            while let record = try source.next() {
                guard case .occurrence(let row) = record else { continue }
                let texts = [row[.scientificName], row[.vernacularName], row[.taxonID]].map { $0 ?? "" }
                guard seen.insert(texts).inserted else { continue }
                let bird = try #require(names.identification(of: texts[0].replacing("Anatinae", with: "Anatidae")))
                guard bird.taxon.flatMap(names.sensitivity) == nil else { continue }
                for text in texts { #expect(names.identification(of: text)?.sensitivity == nil, "\(text) of \(texts)") }
            }
            #expect(seen.count > 500)
        }
    }

    @Test(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
    func `all of AviList loads with a report, and goes with the shipped taxa`() async throws {
        try await ImportFixture.run { log in
            let shipped = try await Self.loadShipped(log)
            let file = TestData.url("taxonomy/avilist_2025.csv.gz").path(percentEncoded: false)
            let summary = try await TaxaImport(log: log.log).run(file)
            #expect(summary.added + summary.changed + summary.known + summary.problems.count == 33_684)
            #expect(summary.problems.isEmpty, "\(summary)")
            let names = TaxonNames(try await LoggedTaxa(log.pool).entries())
            #expect(names.count > 33_684)
            let aves = try #require(shipped.match("Aves"))
            let wren = try #require(names.match("Troglodytes pacificus"))
            #expect(wren == shipped.match("Troglodytes pacificus"))
            #expect(names.lineage(of: wren).contains(aves))
            let again = try await TaxaImport(log: log.log).run(file)
            #expect(again.added == 0 && again.changed == 0)
        }
    }

    private static func beginning(of path: String, lines: Int) throws -> [String] {
        let container = try ContainerKind(path: path).open(path)
        let bytes = try container.open(container.files[0].name).readBytes(upTo: 8 << 20)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(lines).map(String.init)
    }
}
