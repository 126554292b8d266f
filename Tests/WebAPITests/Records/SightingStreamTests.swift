import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Service
import Testing

@testable import Web
@testable import WebAPI

/// All records that meet a filter, as one text.
struct SightingStreamTests {
    /// A place away from sightings that other tests submit.
    private static let box = "bbox=-180,14.6,180,14.7"
    private static let csv: HTTPFields = [.accept: "text/csv"]
    private static let sequence: HTTPFields = [.accept: "application/geo+json-seq"]

    private static func approved(_ caller: Caller, more: String = "") async throws -> (id: String, sent: TestResponse) {
        let sent = try await caller.submit(Caller.sighting(more: more).replacing("47.65", with: "14.65"))
        let id = try #require(try sent.text("id"))
        let moderator = try await Caller.register(caller.served, role: .moderator)
        let decided = try await moderator.send(
            .post, "/v1/moderation/sightings/\(id)/decisions", headers: [.ifMatch: "*"],
            json: #"{"decision":"approve"}"#)
        #expect(decided.status == .ok, "\(String(buffer: decided.body))")
        return (id, decided)
    }

    private static func features(_ response: TestResponse) throws -> [JSONValue] {
        try String(buffer: response.body).split(separator: "\u{1E}").map { try JSONValue(parsing: Array($0.utf8)) }
    }

    @Test func `every value is that of the single record`() async throws {
        try await ServedRoutes.run { served in
            let birder = try await Caller.register(served)
            let notes = #","notes":"by the \"pond\"\n, deep","protocol":"stationary","uncertaintyMetres":30"#
            let (id, decided) = try await Self.approved(birder, more: notes)
            _ = try await birder.submit(Caller.sighting().replacing("47.65", with: "14.65"))
            let stranger = Caller.anonymous(served)
            let single = try await stranger.send(.get, "/v1/sightings/\(id)", headers: try decided.position)
            var headers = try decided.position
            headers[.accept] = "application/geo+json-seq"
            let stream = try await stranger.send(.get, "/v1/sightings?\(Self.box)", headers: headers)
            #expect(stream.headers[.contentType] == "application/geo+json-seq")
            #expect(stream.headers[.vary]?.contains("Accept") == true && stream.headers[.eTag] == nil)
            // What is not reviewed is not passed on.
            let features = try Self.features(stream)
            #expect(features.count == 1)
            let properties = try #require(features.first?["properties"])
            #expect(properties["occurrenceID"] == .string("urn:uuid:\(id)"))
            for (column, member) in [
                "scientificName": "taxon.scientificName", "vernacularName": "taxon.commonName", "taxonID": "taxon.id",
                "verbatimIdentification": "verbatimName", "individualCount": "count", "eventDate": "observedAt",
                "decimalLatitude": "latitude", "decimalLongitude": "longitude", "samplingProtocol": "protocol",
                "coordinateUncertaintyInMeters": "uncertaintyMetres", "coordinatePrecision": "coordinatePrecision",
                "countryCode": "country", "stateProvince": "state", "higherGeography": "region",
                "identificationVerificationStatus": "status", "recordedBy": "observer.displayName",
                "recordedByID": "observer.id", "datasetID": "dataset.id",
            ] {
                #expect(properties[column] == (try single[member] ?? .null), "\(column)")
            }
            #expect(properties["occurrenceRemarks"] == .string("by the \"pond\" , deep"))
            #expect(features.first?["geometry"]?["coordinates"]?[1] == (try single["latitude"]))
        }
    }

    @Test func `a table has the same records, and the same bytes as of a day`() async throws {
        try await ServedRoutes.run { served in
            let (id, _) = try await Self.approved(try await Caller.register(served))
            let stranger = Caller.anonymous(served)
            let day = Instant.now.date().adding(days: 1)
            let path = "/v1/sightings?\(Self.box)&asOf=\(day)"
            let one = try await stranger.read(path, daysAhead: 3, headers: Self.csv)
            let other = try await stranger.read(path, daysAhead: 5, headers: Self.csv)
            #expect(one.headers[.contentType]?.hasPrefix("text/csv") == true && one.body == other.body)
            let lines = String(buffer: one.body).split(separator: "\r\n")
            #expect(lines.first?.hasPrefix("occurrenceID,basisOfRecord,occurrenceStatus,scientificName,") == true)
            #expect(lines.dropFirst().contains { $0.hasPrefix("urn:uuid:\(id),HumanObservation,present,") })
        }
    }

    @Test func `HEAD has the headers of GET, and no length`() async throws {
        try await ServedRoutes.run { served in
            let stranger = Caller.anonymous(served)
            for headers in [Self.csv, Self.sequence] {
                // More requests than there are turns.
                for _ in 0..<5 {
                    let head = try await stranger.send(.head, "/v1/sightings?\(Self.box)", headers: headers)
                    #expect(head.status == .ok && head.headers[.contentLength] == nil)
                    #expect(head.headers[.contentType]?.hasPrefix(try #require(headers[.accept])) == true)
                }
            }
        }
    }

    @Test func `parameters of pages and statuses that are not passed on are rejected`() async throws {
        try await ServedRoutes.run { served in
            let stranger = Caller.anonymous(served)
            for query in ["limit=5", "after=x", "status=pending", "status=approved,pending", "colour=red"] {
                for headers in [Self.csv, Self.sequence] {
                    let answer = try await stranger.send(.get, "/v1/sightings?\(query)", headers: headers)
                    #expect(try answer.problem == "invalid-parameter", "\(query)")
                }
            }
            for accept in ["application/json", "*/*", "text/csv;q=0.1, application/json", ""] {
                let page = try await stranger.send(.get, "/v1/sightings?limit=1", headers: [.accept: accept])
                #expect(page.headers[.contentType] == "application/json", "\(accept)")
                #expect(page.headers[.vary]?.contains("Accept") == true)
            }
        }
    }

    @Test(arguments: [
        ("text/csv", StreamFormat.csv), ("application/geo+json-seq", .sequence),
        ("text/csv, application/geo+json-seq", .csv), ("text/csv;q=0.5, application/geo+json-seq", .sequence),
        ("text/csv, application/json;q=0.9", .csv), ("application/json, text/csv;q=0.9", nil), ("text/*", nil),
        ("*/*", nil), ("text/csv;q=0", nil),
    ])
    func `a format is one that the client names and prefers`(_ accept: String, _ format: StreamFormat?) {
        #expect(SightingStreamRoutes.format([.accept: accept]) == format)
    }
}
