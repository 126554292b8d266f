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

/// `/v1/research/exports`.
struct ResearchExportTests {
    private static let path = "/v1/research/exports"

    @Test func `an export has the records of its moment, also those rejected, and no others`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RejectionScene(served)
            let (kept, rejected, later) = (try await scene.submit(), try await scene.submit(), try await scene.submit())
            try await scene.decide(kept, #""decision":"approve""#)
            try await scene.reject(rejected, #""reasons":["wrong-place","other"],"note":"Not there.""#)
            try await served.followToHead()
            let all = try await scene.export(#"{"format":"csv","filter":{"kind":"bird"}}"#)
            let only = try await scene.export(#"{"format":"geojsonseq","rejected":"only"}"#)
            let before = try await scene.data(all)
            #expect(before.headers[.cacheControl] == "private, no-store")
            #expect(before.headers[.contentType] == "text/csv; charset=utf-8")
            try await scene.reject(later, #""reasons":["wrong-date"]"#)
            try await scene.decide(kept, #""decision":"reject","reasons":["wrong-date"]"#)
            try await served.followToHead()
            let after = try await scene.data(all)
            #expect(before.body == after.body, "later knowledge changes nothing")
            let text = String(buffer: after.body)
            #expect(text.contains(kept) && text.contains(rejected) && !text.contains(later))
            #expect(text.contains(",rejected,") && text.contains("\"\"reasons\"\":[\"\"wrong-place\"\",\"\"other\"\"]"))
            let lines = String(buffer: try await scene.data(only).body)
            #expect(lines.contains(rejected) && !lines.contains(kept) && !lines.contains(later))
            // A restriction acts at once.
            let gone = try await scene.owner.send(
                .delete, "/v1/me/findings/\(rejected)?reason=privacy", headers: [.ifMatch: "*"])
            #expect(gone.status == .noContent)
            try await served.followToHead()
            let restricted = String(buffer: try await scene.data(all).body)
            #expect(restricted.contains(kept) && !restricted.contains(rejected))
        }
    }

    @Test func `everyone may read the records that are not rejected in the same bytes`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RejectionScene(served)
            for number in 0..<3 {
                try await scene.decide(try await scene.submit(on: "2026-05-0\(number + 1)"), #""decision":"approve""#)
            }
            try await served.followToHead()
            let stream = try await scene.stranger.send(.get, "/v1/sightings", headers: [.accept: "text/csv"])
            let research = try await scene.researcher.send(
                .get, "/v1/research/sightings", headers: [.accept: "text/csv"])
            #expect(research.headers[.cacheControl] == "private, no-store" && stream.body == research.body)
            let export = try await scene.export(#"{"format":"csv"}"#)
            #expect(try await scene.data(export).body == stream.body)
        }
    }

    @Test func `an export belongs to one account, for as long as it has the role`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RejectionScene(served)
            let key = UUID()
            let body = #"{"format":"tsv","rejected":"only"}"#
            let sent = try await scene.researcher.send(.post, Self.path, key: key, json: body)
            #expect(sent.status == .created)
            let again = try await scene.researcher.send(.post, Self.path, key: key, json: body)
            #expect(try again.status == .ok && again.text("id") == sent.text("id"))
            let other = try await scene.researcher.send(.post, Self.path, key: key, json: #"{"format":"csv"}"#)
            #expect(try other.problem == "idempotency-key-reused")
            let path = "\(Self.path)/\(try #require(try sent.text("id")))"
            #expect(sent.headers[.location] == path)
            #expect(try await scene.researcher.send(.get, path).body == sent.body)
            let list = try await scene.researcher.send(.get, Self.path)
            #expect(try list["items"]?.items.count == 1 && list.text("items.0.rejected") == "only")

            let admin = try await Caller.register(served, role: .admin)
            for end in ["", "/data"] {
                #expect(try await admin.send(.get, path + end).status == .notFound)
                #expect(try await scene.owner.send(.get, path + end).problem == "forbidden")
                #expect(try await scene.stranger.send(.get, path + end).status == .unauthorized)
                #expect(
                    try await scene.stranger.send(.get, path.replacing("/research", with: "") + end).status == .notFound
                )
            }
            #expect(try await admin.send(.get, Self.path)["items"]?.items.isEmpty == true)
            for (wrong, pointers) in [
                ("{}", ["/format"]), (#"{"format":"dwca","rejected":"none"}"#, ["/format", "/rejected"]),
                (#"{"format":"csv","filter":{"status":["rejected"]},"x":1}"#, ["/filter/status/0", "/x"]),
            ] {
                let answer = try await scene.researcher.send(.post, Self.path, json: wrong)
                #expect(try answer.problem == "validation-failed" && answer.faults.count == pointers.count, "\(wrong)")
            }
            let account = try #require(scene.researcher.account)
            _ = try await admin.send(.delete, "/v1/accounts/\(account)/roles/researcher?reason=resigned")
            for end in ["", "/data"] {
                #expect(try await scene.researcher.send(.get, path + end).problem == "forbidden")
            }
        }
    }
}

extension RejectionScene {
    fileprivate func export(_ body: String) async throws -> String {
        let sent = try await researcher.send(.post, "/v1/research/exports", json: body)
        try #require(sent.status == .created, "\(String(buffer: sent.body))")
        return try #require(try sent.text("id"))
    }

    fileprivate func data(_ export: String) async throws -> TestResponse {
        let response = try await researcher.send(.get, "/v1/research/exports/\(export)/data")
        try #require(response.status == .ok)
        return response
    }
}
