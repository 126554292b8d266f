import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Postgres
import Testing

/// Gives sightings photos, and has a moderator approve them. One photo is sent, and its sizes are made; the others are
/// copies of its event, since each costs a process.
struct OutingPhotos: Sendable {
    private let served: ServedRoutes
    private let moderator: Caller
    /// The stream of the photo that is copied.
    private let original: String

    init(_ served: ServedRoutes) async throws {
        let photographer = try await Caller.register(served)
        let elsewhere = try await photographer.submit(Caller.sighting("Song Sparrow").replacing("47.65", with: "12.65"))
        let added = try await SampleRequests.addPhoto(
            to: try #require(try elsewhere.text("id")), by: photographer)
        self.served = served
        moderator = try await Caller.register(served, role: .moderator)
        original = try #require(try added.text("id"))
    }

    /// Adds a photo to each of some sightings, and approves it.
    /// - Parameter sightings: with their birder's number, who has a camera of that many hundred pixels above 3,000.
    /// - Returns: the position of the last approval.
    func add(to sightings: [(id: UUID, birder: Int)]) async throws -> HTTPFields {
        let (ids, cameras) = (sightings.map(\.id), sightings.map { Int64($0.birder) })
        let photos = try await served.appendCopies(
            of: original, sightings.count,
            """
            jsonb_build_object('sighting', (\(ids)::uuid[])[n], 'width', 3000 + 300 * (\(cameras)::bigint[])[n],
                               'height', 2000 + 200 * (\(cameras)::bigint[])[n])
            """)
        let items = photos.map {
            #"{"key":"\#(UUID())","subject":"photo","id":"\#($0)","version":1,"decision":"approve"}"#
        }
        let decided = try await moderator.send(
            .post, "/v1/moderation/decisions", key: nil, json: #"{"items":[\#(items.joined(separator: ","))]}"#)
        let statuses = try decided["items"]?.items.map { $0["status"] }
        try #require(statuses == photos.map { _ in .integer(200) }, "\(String(buffer: decided.body))")
        return try decided.position
    }
}
