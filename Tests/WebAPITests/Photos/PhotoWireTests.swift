import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import Service
import TestSupport
import Testing
import Vault

@testable import Web
@testable import WebAPI

/// Photos over a real connection: bodies that break off, and bodies that nobody needs to send.
@Suite(.hangs)
struct PhotoWireTests {
    private static func run(
        quota: PhotoQuotas.Limits = PhotoQuotas.Limits(), limits: ConnectionLimits = ConnectionLimits(),
        _ body: @Sendable (ServedRoutes, RunningAPI) async throws -> Void
    ) async throws {
        try await ServedRoutes.run(photos: try TestPhotos.settings(quota)) { served in
            try await RunningAPI.serve(
                ServedRoutes.groups(served.cases), limits: limits, verifier: served.cases.accounts.callers
            ) { api in
                try await body(served, api)
                api.log.expectListedProblems()
            }
        }
    }

    /// The first lines of a request that sends a photo.
    private static func head(
        _ path: String, method: String = "POST", by owner: Caller, _ more: [String]
    ) -> String {
        let type = method == "PATCH" ? UploadRoutes.partialUpload : "image/jpeg"
        let lines = [
            "\(method) \(path) HTTP/1.1", "Host: a", "Authorization: Bearer \(owner.token ?? "")",
            "Content-Type: \(type)", "Idempotency-Key: \(UUID())",
        ]
        return (lines + more).joined(separator: "\r\n") + "\r\n\r\n"
    }

    @Test(arguments: [
        ("Content-Length: 1000", "abc", true), ("Transfer-Encoding: chunked", "3\r\nabc\r\nzz\r\n", false),
    ])
    func `a body that breaks off is a bad request, and what has come of an upload is kept`(
        framing: String, sent: String, isEnding: Bool
    ) async throws {
        try await Self.run { served, api in
            let owner = try await Caller.register(served)
            let sighting = try #require(try await owner.submit().text("id"))
            let path = "/v1/me/findings/\(sighting)/photos"
            let begun = try await SampleRequests.addPhoto(
                to: sighting, by: owner, TestPhotos.jpeg.getSlice(at: 0, length: 5) ?? TestPhotos.jpeg,
                more: [.uploadComplete: "?0"])
            let upload = try #require(begun.headers[.location])
            let heads = [
                Self.head(path, by: owner, [framing]), Self.head(path, by: owner, [framing, "Upload-Complete: ?0"]),
                Self.head(upload, method: "PATCH", by: owner, [framing, "Upload-Complete: ?0", "Upload-Offset: 5"]),
            ]
            for head in heads {
                let answer = try await api.exchange(head + sent, isEnding: isEnding)
                #expect(answer.contains("HTTP/1.1 400") && answer.contains("/problems/bad-request"), "\(answer)")
            }
            #expect(try await owner.send(.head, upload).headers[.uploadOffset] == "8")
            #expect(!api.log.all.contains { $0.level >= .error }, "\(api.log.text)")
        }
    }

    @Test func `a body that stops arriving is a bad request`() async throws {
        try await Self.run(limits: ConnectionLimits(bodyDeadline: .milliseconds(100))) { served, api in
            let owner = try await Caller.register(served)
            let sighting = try #require(try await owner.submit().text("id"))
            let head = Self.head("/v1/me/findings/\(sighting)/photos", by: owner, ["Content-Length: 1000"])
            let answer = try await api.exchange(head + "abc")
            #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("did not arrive in time"), "\(answer)")
        }
    }

    @Test(arguments: [[], ["Upload-Complete: ?0"], ["Upload-Complete: ?1"]])
    func `a photo that cannot be added is rejected before its bytes arrive`(_ upload: [String]) async throws {
        try await Self.run(quota: PhotoQuotas.Limits(photos: 10)) { served, api in
            let (owner, other) = (try await Caller.register(served), try await Caller.register(served))
            let sightings = try await [
                #require(owner.submit().text("id")), #require(owner.submit().text("id")),
                #require(other.submit().text("id")),
            ]
            func answer(_ sighting: String, length: Int = 20_000_000) async throws -> String {
                try await api.answer(
                    to: Self.head(
                        "/v1/me/findings/\(sighting)/photos", by: owner, ["Content-Length: \(length)"] + upload))
            }
            #expect(try await answer(sightings[2]).hasPrefix("HTTP/1.1 404"))
            let key = UUID()
            for index in 0..<10 {
                let added = try await SampleRequests.addPhoto(
                    to: sightings[0], by: owner, key: index == 0 ? key : UUID(),
                    index == 0 ? TestPhotos.jpeg : TestPhotos.another())
                try #require(added.status == .created)
            }
            let full = try await answer(sightings[0])
            #expect(full.hasPrefix("HTTP/1.1 409") && full.contains("/problems/too-many-photos"), "\(full)")
            let usedUp = try await answer(sightings[1])
            #expect(usedUp.hasPrefix("HTTP/1.1 429") && usedUp.contains("/problems/photo-quota"), "\(usedUp)")
            // The retry of one that was added is no new photo.
            let retry = try await SampleRequests.addPhoto(to: sightings[0], by: owner, key: key)
            #expect(retry.status == .created)
            _ = try await owner.send(.delete, "/v1/me/findings/\(sightings[1])", headers: [.ifMatch: "*"])
            #expect(try await answer(sightings[1]).hasPrefix("HTTP/1.1 409"))
        }
    }

    @Test func `a later part of an upload that cannot succeed is rejected before it arrives, and ends it`() async throws
    {
        try await Self.run { served, api in
            let owner = try await Caller.register(served)
            let sighting = try #require(try await owner.submit().text("id"))
            let begun = try await SampleRequests.addPhoto(
                to: sighting, by: owner, TestPhotos.jpeg.getSlice(at: 0, length: 5) ?? TestPhotos.jpeg,
                more: [.uploadComplete: "?0"])
            let upload = try #require(begun.headers[.location])
            _ = try await owner.send(.delete, "/v1/me/findings/\(sighting)", headers: [.ifMatch: "*"])
            let answer = try await api.answer(
                to: Self.head(
                    upload, method: "PATCH", by: owner,
                    ["Content-Length: 20000000", "Upload-Complete: ?0", "Upload-Offset: 5"]))
            #expect(answer.hasPrefix("HTTP/1.1 409") && answer.contains("/problems/withdrawn"), "\(answer)")
            #expect(try await owner.send(.head, upload).status == .notFound)
        }
    }
}
