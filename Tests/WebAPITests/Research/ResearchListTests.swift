import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Service
import TestSupport
import Testing

@testable import Web

/// `GET /v1/research/sightings`.
struct ResearchListTests {
    /// More days than a month has.
    private static let later = 40
    /// In the next month: guarded records are shown as of the end of the last one that someone saw ending.
    private static let evenLater = 75
    private static let path = "/v1/research/sightings"

    @Test func `rejected records have their reasons and the values that everyone saw before`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RejectionScene(served)
            let open = try await scene.submit(more: #","notes":"singing""#)
            let obscured = try await scene.submit(more: #","geoprivacy":"obscured""#)
            let hidden = try await scene.submit(more: #","geoprivacy":"private""#)
            let sensitive = try await scene.submit("Spotted Owl")
            let unclear = try await scene.submit()
            let withdrawn = try await scene.submit()
            let pending = try await scene.submit()
            try await served.followToHead()
            let before = try await scene.records(scene.stranger, "/v1/sightings", daysAhead: Self.later)
            #expect(before.count == 7)
            for id in [open, obscured, hidden, sensitive] {
                try await scene.reject(id, #""reasons":["wrong-place","other"],"note":"Not there.""#)
            }
            try await scene.reject(unclear, #""reasons":["other"],"note":"Who are you?""#)
            try await scene.reject(withdrawn, #""reasons":["wrong-date"]"#)
            let gone = try await scene.owner.send(
                .delete, "/v1/me/findings/\(withdrawn)", headers: [.ifMatch: "*"])
            #expect(gone.status == .noContent)
            try await served.followToHead()

            let all = try await scene.records(scene.researcher, Self.path, daysAhead: Self.evenLater)
            let rejected = all.filter { $0.value["status"]?.string == "rejected" }
            #expect(all.count == 5 && rejected.count == 4 && rejected[open] != nil && all[pending] != nil)
            for (id, record) in all {
                let known = try #require(before[id], "the public id is another one")
                let isRejected = rejected[id] != nil
                let others = isRejected ? ["status", "notes", "verbatimName"] : ["status", "notes"]
                for member in known.members where !others.contains(member.name) {
                    #expect(record[member.name] == member.value, "\(member.name)")
                }
                #expect(record["reasons"]?.items.map(\.string) == (isRejected ? ["wrong-place", "other"] : []))
                #expect(record["status"]?.string == (isRejected ? "rejected" : "pending"))
                if isRejected { #expect(record["notes"] == .null && record["verbatimName"] == .null) }
            }
            #expect(rejected[open]?["latitude"] == .number(47.6577))
            let only = try await scene.records(
                scene.researcher, "\(Self.path)?rejected=only", daysAhead: Self.evenLater)
            #expect(only == rejected)
            // Two of them are guarded, and their month is not over.
            let now = try await scene.records(scene.researcher, "\(Self.path)?rejected=only", daysAhead: 0)
            #expect(now.count == 2 && now[open] != nil)

            let everyone = try await scene.records(scene.stranger, "/v1/sightings", daysAhead: Self.evenLater)
            #expect(Set(everyone.keys) == [pending])
            let notice = try await scene.stranger.send(.get, "/v1/sightings/\(open)")
            #expect(try notice["latitude"] == nil && notice.text("reason") == "wrong-place")
        }
    }

    @Test func `filters and pages hold for both kinds of records`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RejectionScene(served)
            for number in 0..<6 {
                let id = try await scene.submit(on: "2026-05-0\(number / 2 + 1)")
                if number % 2 == 0 { try await scene.reject(id, #""reasons":["not-the-species"]"#) }
            }
            try await served.followToHead()
            let answer = try await scene.researcher.send(.get, "\(Self.path)?kind=bird")
            #expect(answer.headers[.cacheControl] == "private, no-store" && answer.headers[.eTag] == nil)
            let all = try #require(try answer["items"]?.items).compactMap { $0["id"]?.string }
            #expect(all.count == 6)
            var (ids, next) = ([String](), String?.some("\(Self.path)?kind=bird&limit=2"))
            while let path = next, ids.count < 20 {
                let page = try await scene.researcher.send(.get, path)
                ids += try #require(try page["items"]?.items).compactMap { $0["id"]?.string }
                next = page.headers[.link]?.firstMatch(of: /<([^>]+)>/).map { String($0.1) }
                guard let token = try page.text("next") else { continue }
                let other = try await scene.researcher.send(.get, "\(Self.path)?kind=bird&rejected=only&after=\(token)")
                #expect(try other.status == .badRequest && other.text("errors.0.parameter") == "after")
            }
            #expect(ids == all)
            for (query, count) in [
                ("rejected=only", 3), ("rejected=only&from=2026-05-02", 2), ("rejected=with&to=2026-05-01", 2),
                ("status=approved", 3), ("hasPhoto=true", 0), ("hasPhoto=false", 6), ("kind=plant", 0),
                ("region=pacific-northwest&rejected=only", 3), ("bbox=-123,47,-122,48", 6), ("minConfidence=8", 6),
                ("bbox=0,0,1,1", 0), ("dataset=none&rejected=only", 3), ("captive=true", 0), ("country=US", 6),
            ] {
                let found = try await scene.researcher.send(.get, "\(Self.path)?\(query)")
                #expect(try found["items"]?.items.count == count, "\(query)")
            }
            let statuses = try await scene.researcher.send(.get, "\(Self.path)?rejected=only")
            #expect(try statuses["statuses"]?.items.map(\.string) == ["rejected"])
            #expect(
                try answer["statuses"]?.items.map(\.string) == [
                    "approved", "accepted-by-source", "pending", "rejected",
                ])
            for query in ["rejected=without", "status=rejected", "colour=red"] {
                let wrong = try await scene.researcher.send(.get, "\(Self.path)?\(query)")
                #expect(try wrong.problem == "invalid-parameter", "\(query)")
            }
        }
    }

    @Test func `as of a day before its rejection, a record is not rejected`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RejectionScene(served)
            let sent = try await scene.owner.submit()
            let id = try #require(try sent.text("id"))
            let day = try CivilDate(String(try #require(try sent.text("recordedAt")).prefix(10)))
            try await scene.reject(id, #""reasons":["cannot-be-told"]"#)
            try await served.record(id, at: Instant(startOf: day.adding(days: 1)).adding(seconds: 30))
            try await served.followToHead()
            for (asOf, status) in [(day, "pending"), (day.adding(days: 1), "rejected")] {
                let found = try await scene.researcher.read("\(Self.path)?asOf=\(asOf)", daysAhead: Self.later)
                #expect(try found["items"]?.items.count == 1 && found.text("items.0.status") == status)
                #expect(try found.text("asOf") == "\(asOf)")
                #expect(try found["items.0.reasons"]?.items.count == (status == "rejected" ? 1 : 0))
            }
            #expect(try await scene.researcher.send(.get, "\(Self.path)?asOf=9999-12-31").problem == "day-not-over")
        }
    }

    @Test func `it is for researchers and admins, and for keys with the scope`() async throws {
        try await ServedRoutes.run { served in
            let admin = try await Caller.register(served, role: .admin)
            let researcher = try await Caller.register(served, role: .researcher)
            let script = try await researcher.script(#"["research"]"#).caller
            let reader = try await researcher.script(#"["read","submit"]"#).caller
            for caller in [admin, researcher, script] {
                #expect(try await caller.send(.get, Self.path).status == .ok)
            }
            for role in [nil, Role.moderator] {
                let caller = try await Caller.register(served, role: role)
                #expect(try await caller.send(.get, Self.path).problem == "forbidden")
            }
            #expect(try await reader.send(.get, Self.path).problem == "insufficient-scope")
            #expect(try await Caller.anonymous(served).send(.get, Self.path).status == .unauthorized)
            let id = try #require(researcher.account)
            let revoked = try await admin.send(.delete, "/v1/accounts/\(id)/roles/researcher?reason=resigned")
            #expect(revoked.status == .ok)
            for caller in [researcher, script] {
                #expect(try await caller.send(.get, Self.path).problem == "forbidden")
            }
        }
    }
}
