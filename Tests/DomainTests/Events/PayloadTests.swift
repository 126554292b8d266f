import Domain
import Testing

/// Guarantees for every payload.
struct PayloadTests {
    /// Reads an event back, also with an unknown member added.
    private func checkRoundTrip<Event: DomainEvent>(_ event: Event) throws {
        #expect(try Event(type: event.type, payload: event.payload) == event)
        let rest = String(decoding: event.payload.dropFirst(), as: UTF8.self)
        let extended = #"{"addedLater":[{"a":null}]"# + (rest == "}" ? "" : ",") + rest
        #expect(try Event(type: event.type, payload: Array(extended.utf8)) == event)
    }

    @Test(arguments: EventCatalogue.chapters.map(\.stream))
    func `every event is read back as it was written, even with an unknown member`(stream: StreamKind) throws {
        let events = try EveryEvent.events(of: stream)
        for event in events { try checkRoundTrip(event) }
        let types = Set(events.map(\.type))
        let chapter = try #require(EventCatalogue.chapters.first { $0.stream == stream })
        #expect(chapter.events.allSatisfy { types.contains($0.type) }, "every type of the catalogue has a sample")
    }

    @Test func `no two kinds of stream share a type of event`() {
        let types = EventCatalogue.chapters.flatMap(\.events).map(\.type).filter { $0 != PayloadRedacted.type }
        #expect(types.count == Set(types).count)
        #expect(EventCatalogue.chapters.map(\.stream) == StreamKind.allCases)
    }

    @Test func `an unknown type of event is an error`() {
        #expect(throws: PayloadFault.unknownType("SightingPainted")) {
            try SightingEvent(type: "SightingPainted", payload: Array("{}".utf8))
        }
    }

    @Test func `the error for a missing or wrong member names it`() {
        #expect(throws: PayloadFault.member(type: "RoleGranted", name: "role", .required)) {
            try AccountEvent(type: "RoleGranted", payload: Array("{}".utf8))
        }
        #expect(
            throws: PayloadFault.member(
                type: "ImportUndone", name: "withdrawn", RuleViolation(.type, "must be a whole number"))
        ) {
            try DatasetEvent(
                type: "ImportUndone",
                payload: Array(#"{"batch":"00000000-0000-7000-8000-000000000029","withdrawn":1.5}"#.utf8))
        }
        #expect(throws: PayloadFault.malformed(type: "RoleGranted", reason: "byte 0: is not an object")) {
            try AccountEvent(type: "RoleGranted", payload: Array("[]".utf8))
        }
    }

    @Test func `a submission is written in the order of its shape, byte for byte`() throws {
        let payload = String(decoding: try Samples.submitted().payload, as: UTF8.self)
        #expect(
            payload == #"""
                {"observer":"00000000-0000-7000-8000-000000000001","taxon":"00000000-0000-7000-8000-000000000014",\#
                "qualifier":"slash","sensitivity":3,"count":3,"confidence":8,\#
                "observed":{"value":"2026-05-01T07:30:00-07:00","precision":"instant","zone":"America/Los_Angeles",\#
                "from":"2026-05-01T14:30:00Z","to":"2026-05-01T14:30:00Z","localFrom":"2026-05-01",\#
                "localTo":"2026-05-01"},"latitude":47.6062,"longitude":-122.3321,"uncertaintyMetres":25,\#
                "place":{"state":"US-WA","region":"pacific-northwest","country":"US","basis":"nearest",\#
                "distanceMetres":120.5,"polygons":"ne-50m-v1","stateCell":2,"regionCell":1,"countryCell":3},\#
                "captive":true,"licence":"CC-BY-4.0","geoprivacy":"open",\#
                "visit":{"id":"00000000-0000-7000-8000-000000000009","startedAt":"2026-05-01T14:00:00Z",\#
                "minutes":45,"distanceKm":1.5,"observers":2,"complete":true},"protocol":"travelling",\#
                "promptedBy":"00000000-0000-7000-8000-00000000001e",\#
                "awaitedPhotos":["0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"],\#
                "content":["notes","verbatimName"]}
                """#)
    }

    @Test func `a place at a border names the other state and region`() throws {
        var place = try Samples.place()
        place.basis = .border
        place.distanceMetres = nil
        place.borderState = try StateCode("US-ID")
        place.borderRegion = try RegionCode("rockies")
        var changes = SightingCorrected()
        changes.changes.place = place
        let event = SightingEvent.corrected(changes)
        #expect(
            String(decoding: event.payload, as: UTF8.self) == #"""
                {"place":{"state":"US-WA","region":"pacific-northwest","country":"US","basis":"border",\#
                "borderState":"US-ID","borderRegion":"rockies",\#
                "polygons":"ne-50m-v1","stateCell":2,"regionCell":1,"countryCell":3}}
                """#)
        #expect(try SightingEvent(type: event.type, payload: event.payload) == event)
    }

    @Test func `a correction holds only what changed`() throws {
        var correction = SightingCorrected()
        #expect(SightingEvent.corrected(correction).payload == Array("{}".utf8))
        correction.changes.count = .cleared
        correction.changes.captive = true
        let event = SightingEvent.corrected(correction)
        #expect(event.payload == Array(#"{"count":null,"captive":true}"#.utf8))
        #expect(try SightingEvent(type: event.type, payload: event.payload) == event)
    }

    @Test func `a cleared category is written as null`() {
        let event = TaxonEvent.sensitivitySet(TaxonSensitivitySet(category: nil))
        #expect(event.payload == Array(#"{"category":null,"reason":null,"source":null}"#.utf8))
    }

    @Test func `quotation marks and backslashes in a text are escaped`() throws {
        let event = TaxonEvent.synonymAdded(TaxonSynonymAdded(name: try PublishedText(#"a "b" \ ü"#)))
        #expect(String(decoding: event.payload, as: UTF8.self) == #"{"name":"a \"b\" \\ ü"}"#)
    }
}
