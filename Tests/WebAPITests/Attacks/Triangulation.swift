import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import TestSupport
import Testing

@testable import WebAPI

/// A moderator who submits sightings of a taxon from a second account, reads each as a moderator, and infers from the
/// evidence where the accepted records of the taxon are.
struct Triangulation: Sendable {
    let moderator: Caller
    /// The moderator's ordinary account.
    let second: Caller
    /// The name of the taxon, and more members of each sighting.
    let taxon: (name: String, more: String)
    /// The moment of the clock; nil for the real one.
    var now: Instant?

    /// A sighting of one's own at a spot and on a day.
    struct Probe: Sendable {
        let spot: Spot
        var day = "2026-05-02"
    }

    /// The evidence for sightings that the second account submits.
    func evidence(for probes: [Probe]) async throws -> [JSONValue?] {
        let items = probes.map {
            #"{"key":"\#(UUID())","sighting":{"name":"\#(taxon.name)","count":1,"confidence":8,"#
                + #""observedAt":"\#($0.day)","latitude":\#($0.spot.latitude),"#
                + #""longitude":\#($0.spot.longitude)\#(taxon.more)}}"#
        }
        let sent = try await second.send(
            .post, "/v1/sightings/batch", key: nil, json: #"{"items":[\#(items.joined(separator: ","))]}"#)
        let ids = try (try sent["items"]?.items ?? []).map { try #require($0["sighting"]?["id"]?.string, "\($0)") }
        try #require(ids.count == probes.count)
        try await second.served.followToHead()
        var found: [JSONValue?] = []
        for id in ids {
            let read = try await ServedRoutes.$now.withValue(now) {
                try await moderator.send(.get, "/v1/moderation/sightings/\(id)")
            }
            try #require(read.status == .ok)
            found.append(try read["evidence"])
        }
        return found
    }

    /// The number of accepted records that a sighting is compared with.
    func records() async throws -> Int {
        let probe = Probe(spot: Spot(latitude: 40, longitude: -100))
        return try await evidence(for: [probe])[0]?["acceptedRecords"]?.integer ?? 0
    }

    /// The spot of the only accepted record within 25 km of another spot: where two lines that halve the circle of
    /// that radius around it meet. Nil where the evidence has no such circle.
    func spot(near start: Spot) async throws -> Spot? {
        let (height, width) = (0.45, 0.45 / cos(start.latitude * .pi / 180))
        guard try await isNear([start])[0],
            let east = try await edge(from: start, 0, width), let west = try await edge(from: start, 0, -width)
        else { return nil }
        let middle = Spot(latitude: start.latitude, longitude: (east.longitude + west.longitude) / 2)
        guard let north = try await edge(from: middle, height, 0), let south = try await edge(from: middle, -height, 0)
        else { return nil }
        return Spot(latitude: (north.latitude + south.latitude) / 2, longitude: middle.longitude)
    }

    /// Where a line leaves the circle: three times a thirteenth.
    private func edge(from start: Spot, _ height: Double, _ width: Double) async throws -> Spot? {
        var (inside, outside) = (0.0, 1.0)
        func at(_ part: Double) -> Spot {
            Spot(latitude: start.latitude + part * height, longitude: start.longitude + part * width)
        }
        for _ in 0..<3 {
            let parts = (0...13).map { inside + (outside - inside) * Double($0) / 13 }
            let near = try await isNear(parts.dropFirst().map(at))
            guard let first = near.firstIndex(of: false) else { return nil }
            (inside, outside) = (parts[first], parts[first + 1])
        }
        return at((inside + outside) / 2)
    }

    private func isNear(_ spots: [Spot]) async throws -> [Bool] {
        try await evidence(for: spots.map { Probe(spot: $0) }).map {
            ($0?["nearestWithinMetres"]?.double ?? $0?["nearestMetres"]?.double ?? .infinity) <= 25_000
        }
    }

    /// The day of May on which the only accepted record was made: the last one that has none earlier in the year.
    func day(at spot: Spot) async throws -> Int? {
        let probes = (1...31).map { Probe(spot: spot, day: "2026-05-\($0 < 10 ? "0" : "")\($0)") }
        let earlier = try await evidence(for: probes).map { $0?["dayOfYearPercentile"]?.double }
        guard earlier.first == 0, earlier.last == 100 else { return nil }
        return earlier.firstIndex(of: 100)
    }
}
