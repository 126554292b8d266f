import Testing

@testable import Domain

/// The bytes of sightings' payloads, with every member and with the fewest. The log holds them permanently: a new
/// member may be added to them, but nothing else changes.
struct SightingPayloadTests {
    private let observed = #"""
        "observed":{"value":"2021","precision":"year","zone":"America/Los_Angeles","from":"2021-01-01T08:00:00Z",\#
        "to":"2022-01-01T08:00:00Z","localFrom":"2021-01-01","localTo":"2021-12-31"},\#
        "latitude":47.6062,"longitude":-122.3321
        """#
    private let place = #"""
        "place":{"state":"US-WA","region":"pacific-northwest","country":"US","basis":"nearest",\#
        "distanceMetres":120.5,"polygons":"ne-50m-v1","stateCell":2,"regionCell":1,"countryCell":3}
        """#

    private let noted = #"""
        "recorder":"00000000-0000-7000-8000-00000000002c",\#
        "rowVisit":{"id":"00000000-0000-7000-8000-00000000002d","complete":true}
        """#

    private func payload(_ command: SightingCommand, _ before: [SightingEvent] = []) throws -> String {
        let decision = try SightingDecider.decide(command, SightingState(replaying: before))
        return String(decoding: try #require(decision.events.first).payload, as: UTF8.self)
    }

    @Test func `the smallest submission`() throws {
        var details = try Samples.details("2021")
        details.confidence = try Confidence(1)
        details.place = Place(basis: .none, polygons: try PolygonSetCode("ne-50m-v1"))
        (details.licence, details.geoprivacy, details.surveyProtocol) = (.cc0, .private, .incidental)
        let command = SubmitSighting(
            observer: Samples.observer, identification: nil, details: details, receivedAt: Samples.now)
        #expect(
            try payload(.submit(command)) == #"""
                {"observer":"00000000-0000-7000-8000-000000000001","confidence":1,\#(observed),\#
                "place":{"basis":"none","polygons":"ne-50m-v1"},"captive":false,"licence":"CC0-1.0",\#
                "geoprivacy":"private","protocol":"incidental"}
                """#)
    }

    @Test func `imported rows`() throws {
        var row = try Samples.row()
        let full = #"""
            {"dataset":"00000000-0000-7000-8000-000000000028","batch":"00000000-0000-7000-8000-000000000029",\#
            "taxon":"00000000-0000-7000-8000-000000000014","qualifier":"sp","sensitivity":2,"count":1,\#(observed),\#
            "uncertaintyMetres":250,\#(place),"captive":true,"licence":"CC0-1.0",\#
            "occurrence":"\#(Samples.fingerprint.text)",\#(noted),"content":["record"]}
            """#
        #expect(try payload(.importRecord(row)) == full)
        row.identification = nil
        row.details = try Samples.details("2021")
        #expect(
            try payload(.importRecord(row)) == #"""
                {"dataset":"00000000-0000-7000-8000-000000000028","batch":"00000000-0000-7000-8000-000000000029",\#
                \#(observed),\#(place),"captive":false,\#
                "occurrence":"\#(Samples.fingerprint.text)",\#(noted),"content":["record"]}
                """#)
        let left = [try Samples.imported(), .withdrawn(SightingWithdrawn(reason: .vanished))]
        #expect(
            try payload(.importRecord(row), left) == #"""
                {"dataset":"00000000-0000-7000-8000-000000000028","batch":"00000000-0000-7000-8000-000000000029",\#
                "taxon":null,"qualifier":null,"sensitivity":null,"count":null,\#(observed),\#
                "uncertaintyMetres":null,\#(place),"captive":false,"licence":null,\#
                "occurrence":"\#(Samples.fingerprint.text)",\#(noted),"content":["record"]}
                """#, "a record that comes back says what it no longer has")
        #expect(try payload(.importRecord(try Samples.row()), left) == full, "and repeats what it still has")
    }

    @Test func `a correction of everything`() throws {
        let payload = SightingEvent.corrected(try EveryEvent.correction()).payload
        #expect(
            String(decoding: payload, as: UTF8.self) == #"""
                {"taxon":"00000000-0000-7000-8000-000000000015","qualifier":"cf","sensitivity":1,"count":12,\#
                "confidence":9,"observed":{"value":"2026-05","precision":"month","zone":"America/Los_Angeles",\#
                "from":"2026-05-01T08:00:00Z","to":"2026-06-01T08:00:00Z","localFrom":"2026-05-01",\#
                "localTo":"2026-05-31"},"latitude":48,"longitude":-123.25,"uncertaintyMetres":0.5,\#(place),\#
                "captive":false,"licence":"CC-BY-NC-4.0",\#
                "visit":{"id":"00000000-0000-7000-8000-00000000000a","startedAt":"2026-05-01T14:00:00Z",\#
                "minutes":45,"distanceKm":1.5,"observers":2,"complete":true},"protocol":"stationary",\#
                "occurrence":"\#(Samples.fingerprint.text)","batch":"00000000-0000-7000-8000-00000000002a",\#
                \#(noted),"content":["notes","verbatimName"]}
                """#)
    }

    @Test func `the visit of a known row`() throws {
        var row = try Samples.row()
        row.rowVisit = .set(RowVisit(id: Samples.id(46), isComplete: false))
        #expect(
            try payload(.importRecord(row), [try Samples.imported()])
                == #"{"rowVisit":{"id":"00000000-0000-7000-8000-00000000002e"}}"#)
        row.rowVisit = .cleared
        #expect(try payload(.importRecord(row), [try Samples.imported()]) == #"{"rowVisit":null}"#)
    }

    @Test func `a corrected row`() throws {
        var row = try Samples.row(batch: 42)
        row.occurrence = Fingerprint(unchecked: String(repeating: "cd", count: 32))
        (row.identification, row.details.uncertainty, row.details.licence) = (nil, nil, nil)
        #expect(
            try payload(.importRecord(row), [try Samples.imported()]) == #"""
                {"taxon":null,"qualifier":null,"sensitivity":null,"uncertaintyMetres":null,"licence":null,\#
                "occurrence":"\#(row.occurrence.text)","batch":"00000000-0000-7000-8000-00000000002a",\#
                "content":["record"]}
                """#)
    }
}
