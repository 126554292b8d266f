import Domain
import EventLog
import Foundation
import Testing

@testable import Service

struct CanonicalRequestTests {
    private typealias Alteration<Value> = (String, @Sendable (inout Value) throws -> Void)

    private static func id<ID: Identifier>(_ number: UInt8) -> ID {
        ID(UUID(bytes: Array(repeating: number, count: 16)))
    }

    private static func visit(_ number: UInt8) throws -> Visit {
        try Visit(id: id(number), startedAt: try Instant("2026-05-01T13:00:00Z"), minutes: 60)
    }

    private static func submission() throws -> SightingRequest {
        var request = SightingRequest()
        request.name = .set(try VerbatimName("Pacific Wren"))
        request.notes = .set(try Note("in the salal"))
        request.observedAt = try ObservationTime("2026-05-01T07:30:00-07:00")
        (request.latitude, request.longitude) = (47.6577, -122.4056)
        request.changes.count = .set(IndividualCount(unchecked: 2))
        request.changes.confidence = Confidence(unchecked: 8)
        request.changes.uncertainty = .set(try UncertaintyMetres(30))
        (request.changes.licence, request.changes.geoprivacy) = (.set(.by), .open)
        request.changes.captive = false
        request.changes.visit = .set(try visit(9))
        request.changes.surveyProtocol = .incidental
        return request
    }

    private static let alterations: [Alteration<SightingRequest>] = [
        ("taxon", { $0.taxon = .set(id(1)) }), ("name", { $0.name = .set(try VerbatimName("Pacific Wre")) }),
        ("notes", { $0.notes = .set(try Note("nin the salal")) }),
        ("observedAt", { $0.observedAt = try ObservationTime("2026-05-01") }), ("latitude", { $0.latitude = 47 }),
        ("longitude", { $0.longitude = 47 }), ("count", { $0.changes.count = .cleared }),
        ("confidence", { $0.changes.confidence = Confidence(unchecked: 7) }),
        ("uncertainty", { $0.changes.uncertainty = .cleared }), ("captive", { $0.changes.captive = true }),
        ("licence", { $0.changes.licence = .set(.cc0) }), ("geoprivacy", { $0.changes.geoprivacy = .obscured }),
        ("visit", { $0.changes.visit = .cleared }), ("surveyProtocol", { $0.changes.surveyProtocol = .target }),
        ("target", { $0.target = id(2) }),
        ("awaitedPhotos", { $0.awaitedPhotos = [try Fingerprint(String(repeating: "0a", count: 32))] }),
    ]

    /// Strictness rejects or does not: it changes nothing of what is recorded. What is looked up depends on the rest.
    private static let others: Set = ["isStrict", "changes", "observed", "coordinate", "place"]

    private static var members: [String] {
        let request = SightingRequest()
        let children = Array(Mirror(reflecting: request).children) + Mirror(reflecting: request.changes).children
        return children.compactMap(\.label).filter { !others.contains($0) }
    }

    @Test(arguments: [true, false])
    func `every member of a request changes it`(isPatch: Bool) throws {
        #expect(Self.alterations.map(\.0).sorted() == Self.members.sorted())
        let request = isPatch ? SightingRequest() : try Self.submission()
        var forms: Set = [request.canonical]
        for (name, alter) in Self.alterations {
            var altered = request
            try alter(&altered)
            #expect(forms.insert(altered.canonical).inserted, "\(name) changes nothing")
        }
    }

    @Test func `it stays what it was: a request sent before an upgrade is found by its retry after it`() throws {
        let draft = #"""
            {"count":2,"confidence":8,"observedAt":"2026-05-01T07:30:00-07:00","latitude":47.6577,\#
            "longitude":-122.4056,"uncertaintyMetres":30,"licence":"CC-BY-4.0","geoprivacy":"open","captive":false,\#
            "visit":{"id":"09090909-0909-0909-0909-090909090909","startedAt":"2026-05-01T13:00:00Z","minutes":60},\#
            "protocol":"incidental"}12:Pacific Wren12:in the salal
            """#
        #expect(String(decoding: try Self.submission().canonical.bytes, as: UTF8.self) == draft)
        var patch = SightingRequest()
        (patch.changes.count, patch.notes) = (.cleared, .set(try Note("gone")))
        #expect(String(decoding: patch.canonical.bytes, as: UTF8.self) == #"{"count":null}-4:gone"#)
        #expect(String(decoding: SightingRequest().canonical.bytes, as: UTF8.self) == "{}--")
        var least = SightingRequest()
        least.observedAt = try ObservationTime("2026-05")
        (least.latitude, least.longitude) = (1, 2.5)
        (least.changes.confidence, least.changes.captive) = (Confidence(unchecked: 1), false)
        #expect(
            String(decoding: least.canonical.bytes, as: UTF8.self)
                == #"{"confidence":1,"observedAt":"2026-05","latitude":1,"longitude":2.5,"captive":false}--"#)
        #expect(String(decoding: try Self.fullPatch().canonical.bytes, as: UTF8.self) == Self.fullPatchForm)
    }

    @Test func `texts are in it as they were typed, so that it does not change with what is kept of them`() throws {
        var request = SightingRequest()
        request.notes = .set(try Note("a\r\nb"))
        #expect(String(decoding: request.canonical.bytes, as: UTF8.self).utf8.elementsEqual("{}-4:a\r\nb".utf8))
        let signUp = SignUp(
            email: try EmailAddress("Me@Müller.Example"), password: "", name: try PersonName("Ada"), oldEnough: true)
        let form =
            #"{"attribution":"displayName","licence":"CC-BY-4.0","geoprivacy":"open"}18:Me@Müller.Example3:Ada-4:true"#
        #expect(String(decoding: signUp.canonical.bytes, as: UTF8.self) == form)
    }

    private static func fullPatch() throws -> SightingRequest {
        var patch = SightingRequest()
        (patch.taxon, patch.name, patch.notes) = (.set(id(1)), .cleared, .cleared)
        patch.observedAt = try ObservationTime("2026-05-01")
        (patch.latitude, patch.longitude) = (47.5, -122)
        patch.changes.count = .set(IndividualCount(unchecked: 2))
        patch.changes.confidence = Confidence(unchecked: 8)
        patch.changes.uncertainty = .set(try UncertaintyMetres(30))
        (patch.changes.licence, patch.changes.geoprivacy, patch.changes.captive) = (.set(.cc0), .private, true)
        patch.changes.visit = .set(try visit(9))
        patch.changes.surveyProtocol = .target
        return patch
    }

    private static let fullPatchForm = #"""
        {"taxon":"01010101-0101-0101-0101-010101010101","count":2,"confidence":8,"observedAt":"2026-05-01",\#
        "latitude":47.5,"longitude":-122,"uncertaintyMetres":30,"licence":"CC0-1.0","geoprivacy":"private",\#
        "captive":true,\#
        "visit":{"id":"09090909-0909-0909-0909-090909090909","startedAt":"2026-05-01T13:00:00Z","minutes":60},\#
        "protocol":"target"}00
        """#

    @Test func `what a patch clears is null in it`() {
        var patch = SightingRequest()
        (patch.taxon, patch.changes.uncertainty, patch.changes.visit) = (.cleared, .cleared, .cleared)
        #expect(
            String(decoding: patch.canonical.bytes, as: UTF8.self)
                == #"{"taxon":null,"uncertaintyMetres":null,"visit":null}--"#)
    }
}
