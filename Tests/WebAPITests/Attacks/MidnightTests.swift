import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import TestSupport
import Testing

@testable import Web
@testable import WebAPI

/// A client polls about midnight, when a hidden record is the first event of the new day.
struct MidnightTests {
    @Test func `a hidden record that is the first of the day changes no answer`() async throws {
        try await ServedRoutes.run { served in
            let birder = try await Caller.register(served)
            let open = try await birder.submit()
            let day = try CivilDate(String(try #require(try open.text("recordedAt")).prefix(10)))
            let paths = try Self.paths(of: open, asOf: day)
            let midnight = Instant(startOf: day.adding(days: 1))
            try await served.followToHead()
            let before = try await Self.poll(served, paths, from: midnight)

            let hidden = try await birder.submit(Caller.sighting("Spotted Owl"))
            try await served.record(try #require(try hidden.text("id")), at: midnight.adding(seconds: 30))
            try await served.followToHead()
            #expect(try await Self.poll(served, paths, from: midnight) == before)

            let answered = before.filter { $0.status == 200 && $0.path.contains("asOf") }
            #expect(Set(answered.map(\.second)) == [600, 3_600] && answered.count == 2 * (paths.count - 1))
        }
    }

    private static func paths(of open: TestResponse, asOf day: CivilDate) throws -> [String] {
        let (id, taxon) = (try #require(try open.text("id")), try #require(try open.text("taxon.id")))
        let record = "/v1/sightings/\(id)"
        let dated = [
            record, record + "/history", "/v1/taxa/\(taxon)/map", "/v1/taxa/\(taxon)/ranges",
            "/v1/taxa/\(taxon)/totals", "/v1/taxa/\(taxon)/gallery", "/v1/regions/pacific-northwest/ranges",
            "/v1/regions/pacific-northwest/species",
        ]
        return ["/v1/log", "/v1/sightings?asOf=\(day)", "/v1/sightings/count?asOf=\(day)"]
            + dated.map { "\($0)?asOf=\(day)" } + ["/v1/taxa/\(taxon)/trend?end=south&asOf=\(day)"]
    }

    /// The public part of an answer. Positions are encrypted, and request ids are random.
    private struct Answer: Hashable {
        let path: String
        let second: Int
        let status: Int
        let tag: String?
        let body: String
    }

    private static func poll(
        _ served: ServedRoutes, _ paths: [String], from midnight: Instant
    ) async throws -> [Answer] {
        var answers: [Answer] = []
        for second in [-60, 0, 31, 599, 600, 3_600] {
            for path in paths {
                let answer = try await Caller.anonymous(served).read(path, at: midnight.adding(seconds: second))
                let body = answer.status == .ok ? String(buffer: answer.body) : try answer.problem ?? ""
                answers.append(
                    Answer(
                        path: path, second: second, status: answer.status.code, tag: answer.headers[.eTag], body: body))
            }
        }
        return answers
    }
}
