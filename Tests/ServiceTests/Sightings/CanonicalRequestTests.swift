import Domain
import EventLog
import Foundation
import Testing

@testable import Service

@Suite("The form of a request by which a retry is recognised")
struct CanonicalRequestTests {
    private typealias Alteration<Value> = (String, @Sendable (inout Value) throws -> Void)

    private static func id<ID: Identifier>(_ number: UInt8) -> ID {
        ID(UUID(bytes: Array(repeating: number, count: 16)))
    }

    private static func visit(_ number: UInt8) throws -> Visit {
        try Visit(id: id(number), startedAt: try Instant("2026-05-01T13:00:00Z"), minutes: 60)
    }

    private static func draft() throws -> SightingDraft {
        var draft = try SightingDraft(
            confidence: Confidence(unchecked: 8), observedAt: ObservationTime("2026-05-01T07:30:00-07:00"),
            coordinate: Coordinate(latitude: 47.6577, longitude: -122.4056))
        draft.name = try VerbatimName("Pacific Wren")
        draft.count = IndividualCount(unchecked: 2)
        draft.uncertainty = try UncertaintyMetres(30)
        draft.notes = try Note("in the salal")
        draft.licence = .by
        draft.geoprivacy = .open
        draft.visit = try visit(9)
        draft.surveyProtocol = .incidental
        return draft
    }

    private static let draftAlterations: [Alteration<SightingDraft>] = [
        ("taxon", { $0.taxon = id(1) }), ("name", { $0.name = try VerbatimName("Pacific Wre") }),
        ("count", { $0.count = nil }), ("confidence", { $0.confidence = Confidence(unchecked: 7) }),
        ("observedAt", { $0.observedAt = try ObservationTime("2026-05-01") }),
        ("coordinate", { $0.coordinate = try Coordinate(latitude: 47.6577, longitude: -122.4057) }),
        ("uncertainty", { $0.uncertainty = nil }), ("notes", { $0.notes = try Note("nin the salal") }),
        ("licence", { $0.licence = nil }), ("geoprivacy", { $0.geoprivacy = .obscured }),
        ("captive", { $0.captive = true }), ("visit", { $0.visit = try visit(8) }),
        ("surveyProtocol", { $0.surveyProtocol = .target }),
    ]

    private static let patchAlterations: [Alteration<SightingPatch>] = [
        ("taxon", { $0.taxon = .cleared }), ("name", { $0.name = .set(try VerbatimName("Wren")) }),
        ("count", { $0.count = .cleared }), ("confidence", { $0.confidence = Confidence(unchecked: 7) }),
        ("observedAt", { $0.observedAt = try ObservationTime("2026-05-01") }), ("latitude", { $0.latitude = 47 }),
        ("longitude", { $0.longitude = 47 }), ("uncertainty", { $0.uncertainty = .cleared }),
        ("notes", { $0.notes = .set(try Note("Wren")) }), ("licence", { $0.licence = .by }),
        ("geoprivacy", { $0.geoprivacy = .open }), ("captive", { $0.captive = false }),
        ("visit", { $0.visit = .cleared }), ("surveyProtocol", { $0.surveyProtocol = .target }),
    ]

    /// Strictness refuses or does not: it changes nothing of what is recorded.
    private static func members(of value: Any) -> [String] {
        Mirror(reflecting: value).children.compactMap(\.label).filter { $0 != "isStrict" }
    }

    @Test("Every member of a submission changes it")
    func everyMemberOfADraft() throws {
        let draft = try Self.draft()
        #expect(Self.draftAlterations.map(\.0).sorted() == Self.members(of: draft).sorted())
        var forms: Set = [draft.canonical]
        for (name, alter) in Self.draftAlterations {
            var altered = draft
            try alter(&altered)
            #expect(forms.insert(altered.canonical).inserted, "\(name) changes nothing")
        }
    }

    @Test("Every member of a patch changes it")
    func everyMemberOfAPatch() throws {
        #expect(Self.patchAlterations.map(\.0).sorted() == Self.members(of: SightingPatch()).sorted())
        var forms: Set = [SightingPatch().canonical]
        for (name, alter) in Self.patchAlterations {
            var altered = SightingPatch()
            try alter(&altered)
            #expect(forms.insert(altered.canonical).inserted, "\(name) changes nothing")
        }
    }

    @Test("It stays what it was: a request sent before an upgrade is found by its retry after it")
    func staysTheSame() throws {
        let draft = #"""
            {"count":2,"confidence":8,"observedAt":"2026-05-01T07:30:00-07:00","latitude":47.6577,\#
            "longitude":-122.4056,"uncertaintyMetres":30,"licence":"CC-BY-4.0","geoprivacy":"open","captive":false,\#
            "visit":{"id":"09090909-0909-0909-0909-090909090909","startedAt":"2026-05-01T13:00:00Z","minutes":60},\#
            "protocol":"incidental"}12:Pacific Wren12:in the salal
            """#
        #expect(String(decoding: try Self.draft().canonical, as: UTF8.self) == draft)
        var patch = SightingPatch()
        (patch.count, patch.notes) = (.cleared, .set(try Note("gone")))
        #expect(String(decoding: patch.canonical, as: UTF8.self) == #"{"count":null}-4:gone"#)
        #expect(String(decoding: SightingPatch().canonical, as: UTF8.self) == "{}--")
        let least = try SightingDraft(
            confidence: Confidence(unchecked: 1), observedAt: ObservationTime("2026-05"),
            coordinate: Coordinate(latitude: 1, longitude: 2.5))
        #expect(
            String(decoding: least.canonical, as: UTF8.self)
                == #"{"confidence":1,"observedAt":"2026-05","latitude":1,"longitude":2.5,"captive":false}--"#)
        #expect(String(decoding: try Self.fullPatch().canonical, as: UTF8.self) == Self.fullPatchForm)
    }

    private static func fullPatch() throws -> SightingPatch {
        var patch = SightingPatch()
        patch.taxon = .set(id(1))
        patch.name = .cleared
        patch.count = .set(IndividualCount(unchecked: 2))
        patch.confidence = Confidence(unchecked: 8)
        patch.observedAt = try ObservationTime("2026-05-01")
        (patch.latitude, patch.longitude) = (47.5, -122)
        patch.uncertainty = .set(try UncertaintyMetres(30))
        patch.notes = .cleared
        (patch.licence, patch.geoprivacy, patch.captive) = (.cc0, .private, true)
        patch.visit = .set(try visit(9))
        patch.surveyProtocol = .target
        return patch
    }

    private static let fullPatchForm = #"""
        {"taxon":"01010101-0101-0101-0101-010101010101","count":2,"confidence":8,"observedAt":"2026-05-01",\#
        "latitude":47.5,"longitude":-122,"uncertaintyMetres":30,"licence":"CC0-1.0","geoprivacy":"private",\#
        "captive":true,\#
        "visit":{"id":"09090909-0909-0909-0909-090909090909","startedAt":"2026-05-01T13:00:00Z","minutes":60},\#
        "protocol":"target"}00
        """#

    @Test("What a patch clears is null in it")
    func clears() {
        var patch = SightingPatch()
        (patch.taxon, patch.uncertainty, patch.visit) = (.cleared, .cleared, .cleared)
        #expect(
            String(decoding: patch.canonical, as: UTF8.self)
                == #"{"taxon":null,"uncertaintyMetres":null,"visit":null}--"#)
    }
}
