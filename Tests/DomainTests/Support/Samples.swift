import Domain
import Foundation

/// Values that tests are made of.
enum Samples {
    static func id<ID: Identifier>(_ number: UInt8) -> ID {
        ID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, number)))
    }

    static let observer: AccountID = id(1)
    static let now = instant("2026-05-02T00:00:00Z")
    static let fingerprint = Fingerprint(unchecked: String(repeating: "ab", count: 32))

    static func instant(_ text: String) -> Instant {
        (try? Instant(text)) ?? Instant(microsecondsSince1970: 0)
    }

    static func observed(_ text: String, zone: String = "America/Los_Angeles") throws -> ObservedInterval {
        try ObservedInterval(try ObservationTime(text), in: try ZoneName(zone), rules: FixedZones())
    }

    /// Details with no more than all have.
    static func details(
        _ observed: String, latitude: Double = 47.6062, longitude: Double = -122.3321
    ) throws -> SightingDetails {
        SightingDetails(
            observed: try self.observed(observed),
            coordinate: try Coordinate(latitude: latitude, longitude: longitude), place: try place())
    }

    /// A place with every member.
    static func place() throws -> Place {
        Place(
            state: try StateCode("US-WA"), region: try RegionCode("pacific-northwest"), country: try CountryCode("US"),
            basis: .nearest, distanceMetres: 120.5, polygons: try PolygonSetCode("ne-50m-v1"), stateCell: .hundredth,
            regionCell: .tenth, countryCell: .thousandth)
    }

    static func visit(_ number: UInt8 = 9) throws -> Visit {
        try Visit(
            id: id(number), startedAt: instant("2026-05-01T14:00:00Z"), minutes: 45, distanceKm: 1.5, observers: 2,
            complete: true)
    }

    /// A submission with every member.
    static func submission() throws -> SubmitSighting {
        var details = try details("2026-05-01T07:30:00-07:00")
        details.count = try IndividualCount(3)
        details.confidence = try Confidence(8)
        details.uncertainty = try UncertaintyMetres(25)
        details.captive = true
        (details.licence, details.geoprivacy) = (.by, .open)
        details.visit = try visit()
        details.surveyProtocol = .travelling
        var command = SubmitSighting(
            observer: observer,
            identification: Identification(taxon: id(20), qualifier: .slash, sensitivity: .three), details: details,
            content: SightingContent(
                notes: try Note("two adults and a chick"), verbatimName: try VerbatimName("Western/Clark's Grebe")),
            receivedAt: now)
        command.promptedBy = id(30)
        command.awaitedPhotos = [try Fingerprint(String(repeating: "0a", count: 32))]
        return command
    }

    /// A row with every member.
    static func row(batch: UInt8 = 41) throws -> ImportSighting {
        var details = try details("2021")
        details.count = try IndividualCount(1)
        details.uncertainty = try UncertaintyMetres(250)
        details.captive = true
        details.licence = .cc0
        return ImportSighting(
            dataset: id(40), batch: id(batch),
            identification: Identification(taxon: id(20), qualifier: .sp, sensitivity: .two), details: details,
            occurrence: fingerprint, recorder: id(44), rowVisit: .set(RowVisit(id: id(45), isComplete: true)),
            record: #"{"scientificName":"Troglodytes pacificus"}"#, receivedAt: now)
    }

    static func submitted() throws -> SightingEvent {
        try SightingDecider.decide(.submit(try submission()), SightingState()).events[0]
    }

    static func imported() throws -> SightingEvent {
        try SightingDecider.decide(.importRecord(try row()), SightingState()).events[0]
    }

    /// An upload with every member.
    static func upload(ordinal: Int = 0) throws -> UploadPhoto {
        let rendition = PhotoRendition(name: .thumb, sha256: fingerprint, width: 320, height: 240, bytes: 9000)
        let image = PhotoImage(
            original: fingerprint, type: .heic, width: 4032, height: 3024, bytes: 2_400_000, renditions: [rendition],
            perceptualHash: PerceptualHash(unchecked: "00ff00ff00ff00ff"),
            likeness: [LikenessHash(unchecked: String(repeating: "0f", count: 32))])
        return UploadPhoto(
            sighting: id(60), observer: observer, ordinal: ordinal, image: image, licence: .by,
            altText: try AltText("a wren on a branch"), capture: #"{"capturedAt":"2026-05-01T07:30:00"}"#,
            resembles: [id(123)])
    }

    static func registration() throws -> RegisterAccount {
        RegisterAccount(
            observer: id(2), email: try EmailAddress("Ann@Example.org"), name: try PersonName("Ann Heron"),
            displayName: try DisplayName("heron"), passwordRecord: "scrypt$…", state: try StateCode("US-WA"),
            stateRegion: try RegionCode("pacific-northwest"), region: nil, licence: .by, geoprivacy: .obscured,
            attribution: .displayName, oldEnough: true)
    }
}
