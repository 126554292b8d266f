import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import Postgres
import ReadModels
import Service
import TestSupport
import Testing

@testable import Web

/// Outings that are sent, and clients that watch.
struct AttackScene: Sendable {
    /// Where the hidden animals were, and whose photos are whose.
    struct Truth: Sendable {
        /// The places of hidden animals by their public ids.
        var animals: [String: Spot] = [:]
        /// True claims by the public ids of photos.
        var photos: [String: Set<PhotoAttack.Claim>] = [:]
        /// The sightings of photos, as their owners know them, by the photos' public ids.
        var sightings: [String: String] = [:]
    }

    let served: ServedRoutes
    /// Names the hidden animals, and has more members of their sightings.
    let hiding: (name: String, more: String)
    let birds: String
    private let hiddenTaxon: String
    private let photos: OutingPhotos

    init(_ served: ServedRoutes, hiding name: String, _ more: String = "") async throws {
        self.served = served
        hiding = (name, more)
        func taxon(_ name: String) async throws -> String {
            let found = try await Caller.anonymous(served).send(.get, "/v1/taxa?q=\(name.replacing(" ", with: "%20"))")
            return try #require(try found.text("items.0.id"))
        }
        (birds, hiddenTaxon) = (try await taxon("birds"), try await taxon(name))
        photos = try await OutingPhotos(served)
    }

    /// Sends outings, polling and writing after each, and then reads whatever is public.
    /// - Parameter outingsToApprove: after so many, a moderator approves a photo of each and of its hidden animal.
    /// - Returns: what was learnt, and the truth.
    func play(
        _ outings: [Outing], approvingAfter outingsToApprove: Int
    ) async throws -> (learnt: Reconnaissance, truth: Truth) {
        var birders: [Caller] = []
        for _ in 0...(outings.map(\.birder).max() ?? 0) { birders.append(try await .register(served)) }
        let spy = try await Caller.register(served)
        var (polls, ownAnswers): ([Poll], [TestResponse]) = ([], [])
        var seen = PhotoReconnaissance(hiddenTaxon: hiddenTaxon)
        var photographed: [(id: UUID, birder: Int)] = []
        for (index, outing) in outings.enumerated() {
            let sent = try await send(outing, by: birders[outing.birder])
            photographed += sent.prefix(outing.hidden == nil ? 1 : 2).map { ($0, outing.birder) }
            let own = try await spy.submit(Caller.sighting("Song Sparrow").replacing("47.65", with: "12.65"))
            ownAnswers.append(own)
            polls.append(try Poll(try await map("", headers: own.position)))
            if (index + 1).isMultiple(of: outingsToApprove) {
                let approved = try await photos.add(to: photographed)
                seen.polls.append(try await gallery(headers: approved))
                photographed = []
            }
        }
        try await served.followToHead()
        let month = try await spreadOverNextMonth()
        let learnt = try await ServedRoutes.$now.withValue(month.over) {
            try await read(polls, ownAnswers, seen, month.days)
        }
        return (learnt, try await truth(of: birders, learnt))
    }

    /// - Returns: the ids of its sightings; that of a hidden animal is the second.
    private func send(_ outing: Outing, by birder: Caller) async throws -> [UUID] {
        let sent = try await birder.send(
            .post, "/v1/sightings/batch", key: nil, json: outing.batch(hiding: hiding.name, hiding.more))
        return try (try sent["items"]?.items ?? []).map { item in
            try #require(item["sighting"]?["id"]?.string.flatMap { UUID(uuidString: $0) }, "\(item)")
        }
    }

    private func map(_ query: String, headers: HTTPFields = [:]) async throws -> TestResponse {
        let query = query.contains("bbox") ? query : "&\(Outing.area)\(query)"
        return try await Caller.anonymous(served).send(
            .get, "/v1/taxa/\(birds)/map?zoom=20\(query)", headers: headers)
    }

    private func read(
        _ polls: [Poll], _ ownAnswers: [TestResponse], _ photos: PhotoReconnaissance, _ days: [CivilDate]
    ) async throws -> Reconnaissance {
        let stranger = Caller.anonymous(served)
        var learnt = Reconnaissance(
            polls: polls, ownAnswers: ownAnswers, map: try Poll(try await map("")), photos: photos)
        for record in learnt.map.records {
            learnt.representations[record.id] = try await stranger.send(.get, "/v1/sightings/\(record.id)").json
        }
        for day in days { learnt.days.append((day.description, try Poll(try await map("&asOf=\(day)")))) }
        for record in learnt.hidden {
            let history = try await stranger.send(.get, "/v1/sightings/\(record.id)/history")
            learnt.histories[record.id] = try history.json
            learnt.boxes[record.id] = try await halve(record)
        }
        try await readPhotos(&learnt, days)
        return learnt
    }

    /// Halves a box around a record's cell, side by side, as long as the record is counted in one half alone.
    private func halve(_ record: MappedRecord) async throws -> Spot {
        var (south, west, side) = (record.spot.cell.latitude - 0.05, record.spot.cell.longitude - 0.05, 0.1)
        for _ in 0..<6 {
            side /= 2
            var holding: [(Double, Double)] = []
            for (y, x) in [(south, west), (south + side, west), (south, west + side), (south + side, west + side)] {
                let half = try Poll(try await map("&bbox=\(x),\(y),\(x + side),\(y + side)"))
                if half.records.contains(where: { $0.id == record.id }) { holding.append((y, x)) }
            }
            guard holding.count == 1 else { break }
            (south, west) = holding[0]
        }
        return Spot(latitude: south + side / 2, longitude: west + side / 2)
    }

    private func truth(of birders: [Caller], _ learnt: Reconnaissance) async throws -> Truth {
        var truth = Truth()
        var claims: [String: Set<PhotoAttack.Claim>] = [:]
        for birder in birders {
            let findings = try await birder.send(.get, "/v1/me/findings?limit=200")["items"]?.items ?? []
            let observer = findings.lazy.compactMap { $0["publicId"]?.string.flatMap(learnt.observer) }.first
            for finding in findings {
                guard let id = finding["id"]?.string, let publicID = finding["publicId"]?.string, publicID != id,
                    let latitude = finding["latitude"]?.double, let longitude = finding["longitude"]?.double
                else { continue }
                let spot = Spot(latitude: latitude, longitude: longitude)
                truth.animals[publicID] = spot
                claims[id] = [.place(spot), .record(publicID), .observer(try #require(observer))]
            }
        }
        truth.sightings = try await sightingsOfPhotos()
        truth.photos = truth.sightings.compactMapValues { claims[$0] }
        return truth
    }
}

extension AttackScene {
    /// As if everything had been recorded on four weeks of the next month, in the same order: changes the log and folds
    /// it again.
    private func spreadOverNextMonth() async throws -> (days: [CivilDate], over: Instant) {
        let first = try Self.first(ofTheMonthAfter: Instant.now.date())
        let over = Instant(startOf: try Self.first(ofTheMonthAfter: first).adding(days: 1))
        let schema = ReadModel.sightingsPublic.schema
        let start = Instant(startOf: first).text()
        try await served.database.withConnection(served.database.owner) { owner in
            _ = try await owner.query("alter table log.events_from_1 disable trigger all")
            _ = try await owner.query(
                """
                update log.events_from_1 set recorded_at = \(start)::text::timestamptz
                       + (position - 1) * interval '28 days' / (select max(position) from log.events)
                """)
            for table in ReadModel.sightingsPublic.digest.keys {
                _ = try await owner.query("delete from \(identifier: schema).\(identifier: table)")
            }
            _ = try await owner.query(
                "select \(identifier: schema).fold(0, (select max(position) from log.events))")
        }
        return ((0..<28).map { first.adding(days: $0) }, over)
    }

    private static func first(ofTheMonthAfter date: CivilDate) throws -> CivilDate {
        let (year, month) = date.month == 12 ? (date.year + 1, 1) : (date.year, date.month + 1)
        return try CivilDate(year: year, month: month, day: 1)
    }
}
