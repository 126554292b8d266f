import Domain
import EventLog
import HTTPTypes
import HummingbirdTesting
import JSON
import Postgres
import ReadModels
import TestSupport
import Testing

@testable import WebAPI

/// What clients read of photos.
extension AttackScene {
    func gallery(headers: HTTPFields = [:]) async throws -> [GalleryPhoto] {
        try await Caller.anonymous(served).gallery("/v1/taxa/\(birds)/gallery", headers: headers)
    }

    func readPhotos(_ learnt: inout Reconnaissance, _ days: [CivilDate]) async throws {
        let stranger = Caller.anonymous(served)
        learnt.photos.gallery = try await gallery()
        for observer in Set(learnt.map.records.compactMap { learnt.observer(of: $0.id) }) {
            learnt.photos.observers[observer] = Set(
                try await stranger.gallery("/v1/observers/\(observer)/gallery").map(\.id))
        }
        for photo in learnt.photos.hidden {
            let read = try await stranger.send(.get, "/v1/photos/\(photo.id)")
            #expect(try GalleryPhoto(read.json) == photo)
            #expect(try await stranger.send(.get, "/v1/photos/\(photo.id)/thumb").status == .ok)
            learnt.photos.days[photo.id] = try await firstDay(of: photo, among: days)
        }
        let weeks = try await stranger.send(.get, "/v1/stats/moderation")["weeks"]?.items ?? []
        learnt.photos.decisions = weeks.reduce(0) { $0 + ($1["decisions"]?.integer ?? 0) }
    }

    /// The first day as of which a photo is shown, by binary search; nil for none.
    private func firstDay(of photo: GalleryPhoto, among days: [CivilDate]) async throws -> String? {
        var (earliest, latest) = (0, days.count)
        while earliest < latest {
            let middle = (earliest + latest) / 2
            let path = "/v1/photos/\(photo.id)?asOf=\(days[middle])"
            let isShown = try await Caller.anonymous(served).send(.get, path).status == .ok
            if isShown { latest = middle } else { earliest = middle + 1 }
        }
        return latest < days.count ? days[latest].description : nil
    }

    /// The sightings of photos, as their owners know them, by the photos' public ids.
    func sightingsOfPhotos() async throws -> [String: String] {
        let rows = try await served.database.withConnection(served.database.service) { service in
            try await service.query(
                """
                select id::text, sighting::text from \(identifier: ReadModel.sightingsPublic.schema).photos
                """
            ).rows
        }
        let pairs = try rows.map { (try $0.decode("id", as: String.self), try $0.decode("sighting", as: String.self)) }
        return Dictionary(pairs) { first, _ in first }
    }
}
