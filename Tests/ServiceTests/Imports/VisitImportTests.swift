import Domain
import Foundation
import TestSupport
import Testing

@testable import Imports
@testable import Service

/// The visits that an import names by its columns.
struct VisitImportTests {
    private static let header =
        "occurrenceID,scientificName,year,decimalLatitude,decimalLongitude,individualCount,eventID,point,round"

    private static func row(_ id: String, count: Int = 1, _ event: String, _ point: String, _ round: String) -> String {
        "\(id),Troglodytes hiemalis,2019,45.5,-122.6,\(count),\(event),\(point),\(round)"
    }

    /// Two rows of one visit, one each of two others, and two that lack a part of the name.
    private static let rows = [
        header, row("a", "E1", "P1", "1"), row("b", "E1", " P1 ", "1"), row("c", "E1", "P1", "2"),
        row("d", "E2", "P1", "1"), row("e", "E1", "", "1"), row("f", "E1", "P1", " "),
    ]

    private static func naming(_ columns: String, isComplete: Bool = false) throws -> VisitNaming {
        try VisitNaming(parsing: columns, isComplete: isComplete)
    }

    private static func visits(_ log: ImportFixture) async throws -> [String: RowVisit] {
        let states = try await log.sightings()
        return try await log.streams().compactMapValues { states[$0]?.record?.rowVisit }
    }

    @Test func `importing again notes the visits of known rows, and changes nothing else`() async throws {
        try await ImportFixture.run { log in
            let file = try log.write("rows.csv", Self.rows)
            let first = try await log.importRows(file)
            let before = try await log.standing()
            let naming = try Self.naming("eventID, point,round", isComplete: true)
            let trial = try await log.importRows(file) { ($0.visits, $0.dryRun) = (naming, true) }
            #expect(trial.known == 6 && trial.revisited == 4 && trial.withoutVisit == 2)
            #expect(try await Self.visits(log).isEmpty)

            let second = try await log.importRows(file) { $0.visits = naming }
            #expect(second.known == 6 && second.revisited == 4 && second.withoutVisit == 2)
            #expect(second.corrected == 0 && second.accepted == 0 && second.withoutTaxon == 0)
            #expect(second.description.contains("of these, whose visit was noted"))
            let visits = try await Self.visits(log)
            #expect(Set(visits.keys) == ["a", "b", "c", "d"] && visits.values.allSatisfy(\.isComplete))
            #expect(visits["a"] == visits["b"] && Set(visits.values).count == 3)
            let after = try await log.standing()
            #expect(after.allSatisfy { $0.batch == first.batch })
            #expect(Set(after.map(\.occurrence)) == Set(before.map(\.occurrence)))

            let noted = try await log.sightings()
            let third = try await log.importRows(file) { $0.visits = naming }
            #expect(third.known == 6 && third.revisited == 0)
            #expect(try await log.importRows(file).revisited == 0, "without --visit, they stay")
            #expect(try await log.sightings() == noted)
        }
    }

    @Test func `other columns replace visits, and take them where a row has none`() async throws {
        try await ImportFixture.run { log in
            let file = try log.write("rows.csv", Self.rows)
            let first = try await log.importRows(file) { $0.visits = try? Self.naming("eventID", isComplete: true) }
            #expect(first.accepted == 6 && first.revisited == 0 && first.withoutVisit == 0)
            let former = try await Self.visits(log)
            #expect(Set(former.values).count == 2 && former["e"] == former["f"])

            let second = try await log.importRows(file) { $0.visits = try? Self.naming("eventID,round") }
            #expect(second.known == 6 && second.revisited == 6 && second.withoutVisit == 1)
            let visits = try await Self.visits(log)
            #expect(visits["f"] == nil && visits.count == 5 && visits.values.allSatisfy { !$0.isComplete })
            #expect(
                visits["a"] == visits["e"] && Set(visits.values.map(\.id)).isDisjoint(with: former.values.map(\.id)))

            var changed = Self.rows
            changed[1] = Self.row("a", count: 7, "E9", "P1", "1")
            let third = try await log.importRows(try log.write("changed.csv", changed)) {
                $0.visits = try? Self.naming("eventID,round")
            }
            #expect(third.corrected == 1 && third.known == 5 && third.revisited == 0)
            #expect(try await Self.visits(log)["a"] != visits["a"])
        }
    }

    @Test func `undoing an import leaves the visits that it noted on known rows`() async throws {
        try await ImportFixture.run { log in
            let file = try log.write("rows.csv", Self.rows)
            let first = try await log.importRows(file)
            let second = try await log.importRows(file) { $0.visits = try? Self.naming("eventID") }
            let noted = try await Self.visits(log)
            #expect(try await ImportUndo(log: log.log).run(second.batch).changed == 0)
            #expect(try await Self.visits(log) == noted)
            let undone = try await ImportUndo(log: log.log).run(first.batch)
            #expect(undone.withdrawn == 6 && undone.left == 0, "noting a visit is no later change")
        }
    }

    /// The values of a visit must not lead to its records, and two datasets must not share one.
    @Test func `the hash is keyed, and of the dataset`() async throws {
        try await ImportFixture.run { log in
            let file = try log.write("rows.csv", Self.rows)
            let naming = try Self.naming("eventID,point")
            let one = try await log.importRows(file) { $0.visits = naming }
            let visits = try await Self.visits(log)
            let signer = log.log.signer
            #expect(
                visits["a"]?.id == RowVisitID(signer.id(of: "visit", one.dataset.description, "E1", "P1")),
                "in the order of the columns named, without spaces around them")
            let title = try DatasetTitle("Other counts")
            try await log.importRows(file) { ($0.visits, $0.dataset) = (naming, title) }
            let all = try await log.standing()
            #expect(Set(all.compactMap(\.rowVisit)).count == 4)
            let text = try await log.history().values.joined().joined()
            #expect(!text.contains("E1"), "what the columns hold is in no payload")
        }
    }

    @Test func `a column is named by its heading or its term`() async throws {
        try await ImportFixture.run { log in
            var rows = Self.rows
            rows[0] = Self.header.replacing("eventID", with: "dwc:eventID").replacing("point", with: "plot name")
            let file = try log.write("rows.csv", rows)
            try await log.importRows(file) { $0.visits = try? Self.naming("dwc:eventID,plot name,round") }
            let visits = try await Self.visits(log)
            #expect(visits.count == 4)
            let again = try await log.importRows(file) { $0.visits = try? Self.naming("eventid,plot name,round") }
            #expect(again.known == 6 && again.revisited == 0)
        }
    }

    @Test func `columns that are not there, or named twice, stop the import before it records anything`() async throws {
        #expect(throws: VisitNamingError.emptyName) { try Self.naming("") }
        #expect(throws: VisitNamingError.emptyName) { try Self.naming("eventID,") }
        #expect(throws: VisitNamingError.columnTwice("point")) { try Self.naming("point,eventID, point") }
        try await ImportFixture.run { log in
            let file = try log.write("rows.csv", Self.rows)
            let head = try await log.head()
            let unknown = try Self.naming("eventID,plot")
            let known = Self.header.split(separator: ",").map(String.init)
            await #expect(throws: VisitNamingError.unknownColumn("plot", known: known)) {
                try await log.importRows(file) { $0.visits = unknown }
            }
            let twice = try Self.naming("eventID,EVENTID")
            await #expect(throws: VisitNamingError.columnTwice("EVENTID")) {
                try await log.importRows(file) { $0.visits = twice }
            }
            #expect(try await log.head() == head)
        }
    }
}
