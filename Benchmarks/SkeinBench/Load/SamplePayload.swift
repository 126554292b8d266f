import Domain
import Foundation
import Service

/// Payloads as the service writes them, made by its own decider.
enum SamplePayload {
    /// The JSON of a `SightingSubmitted`.
    static func submitted(
        observer: UUID, latitude: Double, longitude: Double, observedAt: String = "2026-05-01T07:30:00-07:00"
    ) throws -> String {
        var details = SightingDetails(
            observed: try ObservedInterval(
                try ObservationTime(observedAt), in: try ZoneName("America/Los_Angeles"), rules: SystemZoneRules()),
            coordinate: try Coordinate(latitude: latitude, longitude: longitude), place: try place())
        details.count = try IndividualCount(3)
        details.confidence = try Confidence(8)
        details.uncertainty = try UncertaintyMetres(25)
        (details.licence, details.geoprivacy, details.surveyProtocol) = (.by, .open, .stationary)
        let command = SubmitSighting(
            observer: AccountID(observer), identification: Identification(taxon: TaxonID(taxon)), details: details,
            content: SightingContent(notes: try Note("two adults and a chick")),
            receivedAt: try Instant("2026-06-01T00:00:00Z"))
        let events = try SightingDecider.decide(.submit(command), SightingState()).events
        return events.map { String(decoding: $0.payload, as: UTF8.self) }[0]
    }

    /// A payload with `@observer@`, `@day@`, `@latitude@` and `@longitude@` where they go, for filling on the server.
    /// - Parameter taxon: nil for `@taxon@`.
    static func template(taxon wanted: UUID? = taxon) throws -> String {
        let payload = try submitted(observer: taxon, latitude: 47.625, longitude: -122.375)
        return payload.replacing("\"observer\":\"\(written(taxon))\"", with: "\"observer\":\"@observer@\"")
            .replacing(written(taxon), with: wanted.map(written) ?? "@taxon@")
            .replacing("2026-05-01", with: "@day@")
            .replacing("47.625", with: "@latitude@").replacing("-122.375", with: "@longitude@")
    }

    /// The JSON of a `SightingImported` with `@taxon@`, `@region@`, `@recorder@`, `@day@`, `@latitude@` and
    /// `@longitude@` where they go.
    static func importedTemplate() throws -> String {
        let recorder = UUID()
        var details = SightingDetails(
            observed: try ObservedInterval(
                try ObservationTime("2026-05-01T07:30:00-07:00"), in: try ZoneName("America/Los_Angeles"),
                rules: SystemZoneRules()),
            coordinate: try Coordinate(latitude: 47.625, longitude: -122.375), place: try place())
        details.licence = .by
        let command = ImportSighting(
            dataset: DatasetID(UUID()), batch: BatchID(UUID()), identification: Identification(taxon: TaxonID(taxon)),
            details: details, occurrence: try Fingerprint(String(repeating: "ab", count: 32)),
            recorder: RecorderID(recorder), record: "{}", receivedAt: try Instant("2026-06-01T00:00:00Z"))
        let payload = try SightingDecider.decide(.importRecord(command), SightingState()).events.map(\.payload)[0]
        return String(decoding: payload, as: UTF8.self).replacing(written(taxon), with: "@taxon@")
            .replacing(written(recorder), with: "@recorder@").replacing("pacific-northwest", with: "@region@")
            .replacing("2026-05-01", with: "@day@")
            .replacing("47.625", with: "@latitude@").replacing("-122.375", with: "@longitude@")
    }

    /// The JSON of a `PhotoUploaded` with `@sighting@`, `@observer@`, `@original@` and `@hash@` where they go.
    static func photoTemplate() throws -> String {
        let (sighting, observer) = (UUID(), UUID())
        let (original, hash) = (String(repeating: "ab", count: 32), String(repeating: "cd", count: 8))
        let made = try Fingerprint(String(repeating: "ef", count: 32))
        let renditions = zip(RenditionName.allCases, [320, 800, 2_048]).map { name, width in
            PhotoRendition(name: name, sha256: made, width: width, height: width * 3 / 4, bytes: width * width / 8)
        }
        let image = PhotoImage(
            original: try Fingerprint(original), type: .jpeg, width: 4_032, height: 3_024, bytes: 2_400_000,
            renditions: renditions, perceptualHash: try PerceptualHash(hash))
        let command = UploadPhoto(
            sighting: SightingID(sighting), observer: AccountID(observer), ordinal: 0, image: image, licence: .by)
        let payload = try PhotoDecider.decide(.upload(command), PhotoState()).events.map(\.payload)[0]
        return String(decoding: payload, as: UTF8.self).replacing(written(sighting), with: "@sighting@")
            .replacing(written(observer), with: "@observer@").replacing(original, with: "@original@")
            .replacing(hash, with: "@hash@")
    }

    /// The JSON of an `AccountRegistered` with `@observer@` where the public id goes.
    static func accountTemplate() throws -> String {
        let observer = UUID()
        let command = RegisterAccount(
            observer: ObserverID(observer), email: try EmailAddress("birder@example.org"),
            name: try PersonName("Bench Birder"), passwordRecord: "", licence: .by, geoprivacy: .open,
            attribution: .displayName, oldEnough: true)
        let payload = try AccountDecider.decide(.register(command), AccountState()).events.map(\.payload)[0]
        return String(decoding: payload, as: UTF8.self).replacing(written(observer), with: "@observer@")
    }

    private static func written(_ id: UUID) -> String { id.uuidString.lowercased() }

    static let taxon = UUID(uuid: (0x9c, 0x1f, 3, 4, 5, 6, 0x87, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))

    private static func place() throws -> Place {
        Place(
            state: try StateCode("US-WA"), region: try RegionCode("pacific-northwest"), country: try CountryCode("US"),
            basis: .inside, distanceMetres: nil, polygons: try PolygonSetCode("ne-50m-v1"), stateCell: .tenth,
            regionCell: .tenth, countryCell: .tenth)
    }
}
