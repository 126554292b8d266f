import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOConcurrencyHelpers
import NIOCore
import TestSupport
import Testing
import Vault

@testable import Service
@testable import Web

/// What counts while photos arrive, and after they did not.
@Suite(.hangs) struct UploadQuotaTests {
    private struct Sender {
        let owner: Caller
        let sighting: String

        init(_ served: ServedRoutes, verified: Bool = true) async throws {
            owner = try await Caller.register(served)
            if verified { try await owner.verifyAddress() }
            sighting = try #require(try await owner.submit().text("id"))
        }

        /// Begins an upload that announces a length.
        func begin(_ length: Int?, sending count: Int = 0) async throws -> TestResponse {
            var headers: HTTPFields = [.uploadComplete: "?0"]
            headers[.uploadLength] = length.map { "\($0)" }
            let bytes = ByteBuffer(repeating: 0, count: count)
            return try await SampleRequests.addPhoto(to: sighting, by: owner, bytes, more: headers)
        }

        /// Sends bytes that are no photo.
        func sendWhole(_ count: Int, isFramed: Bool = true) async throws -> TestResponse {
            let bytes = ByteBuffer(repeating: 0, count: count)
            return try await SampleRequests.addPhoto(
                to: sighting, by: owner, bytes, more: isFramed ? [.contentLength: "\(count)"] : [:])
        }

        func end(_ upload: TestResponse) async throws {
            let ended = try await owner.send(.delete, try #require(upload.headers[.location]))
            #expect(ended.status == .noContent)
        }
    }

    private static func run(
        _ quota: PhotoQuotas.Limits, _ body: @Sendable (ServedRoutes) async throws -> Void
    ) async throws {
        try await ServedRoutes.run(photos: try TestPhotos.settings(quota)) { served in
            // From which no test gets to the next day.
            let noon = Instant(startOf: Instant.now.date()).adding(seconds: 43_200)
            try await ServedRoutes.$now.withValue(noon) { try await body(served) }
        }
    }

    @Test func `unfinished uploads count with the bytes that they announce`() async throws {
        try await Self.run(PhotoQuotas.Limits(bytes: 100_000)) { served in
            let sender = try await Sender(served)
            #expect(try await sender.begin(60_000).status == .created)
            let second = try await sender.begin(60_000)
            #expect(try second.problem == "photo-quota" && second.headers[.retryAfter] == "43200")
            #expect(try await sender.sendWhole(60_000).problem == "photo-quota")
            #expect(try await sender.begin(nil).problem == "photo-quota", "it may have as many bytes as a photo may")
            #expect(try await sender.begin(40_000).status == .created)
        }
    }

    @Test func `what has arrived of an ended upload still counts, so that the day has an end`() async throws {
        try await Self.run(PhotoQuotas.Limits(bytes: 100_000)) { served in
            let sender = try await Sender(served)
            var sent = 0
            for _ in 0..<8 {
                let begun = try await sender.begin(30_000, sending: 20_000)
                if begun.status != .created { break }
                sent += 20_000
                try await sender.end(begun)
            }
            #expect(sent == 80_000, "of the last one 10,000 bytes would be too many")
            #expect(try await sender.begin(20_001).problem == "photo-quota")
            #expect(try await sender.begin(20_000).status == .created)
        }
    }

    @Test func `uploads count as photos, also those that are ended`() async throws {
        try await Self.run(PhotoQuotas.Limits(photos: 3)) { served in
            let sender = try await Sender(served)
            for _ in 0..<2 { try await sender.end(try await sender.begin(1)) }
            #expect(try await sender.sendWhole(10).status == .unsupportedMediaType)
            #expect(try await sender.begin(1).problem == "photo-quota")
            #expect(try await sender.sendWhole(1).problem == "photo-quota")
        }
    }

    @Test func `a length that becomes known makes room for others`() async throws {
        try await Self.run(PhotoQuotas.Limits(bytes: 25_000_000)) { served in
            let sender = try await Sender(served)
            let path = try #require(try await sender.begin(nil, sending: 10).headers[.location])
            #expect(try await sender.begin(1).problem == "photo-quota")
            for _ in 0..<2 {
                let known = try await SampleRequests.resume(
                    path, nil, by: sender.owner,
                    headers: [.uploadOffset: "10", .uploadComplete: "?0", .uploadLength: "30000"])
                #expect(known.status == .noContent)
            }
            #expect(try await sender.begin(24_970_001).problem == "photo-quota")
            #expect(try await sender.begin(24_970_000).status == .created)
        }
    }

    /// Also one that does not say how long it is counts as what it was in the end.
    @Test(arguments: [true, false])
    func `a photo in one request counts with its bytes`(isFramed: Bool) async throws {
        try await Self.run(PhotoQuotas.Limits(bytes: 25_000_000)) { served in
            let sender = try await Sender(served)
            #expect(try await sender.sendWhole(1_000_000, isFramed: isFramed).status == .unsupportedMediaType)
            #expect(try await sender.begin(24_000_001).problem == "photo-quota")
            #expect(try await sender.begin(24_000_000).status == .created)
        }
    }

    @Test func `an unverified account has fewer bytes`() async throws {
        try await Self.run(PhotoQuotas.Limits(unverifiedBytes: 50_000)) { served in
            let sender = try await Sender(served, verified: false)
            #expect(try await sender.begin(50_001).problem == "photo-quota")
            #expect(try await sender.begin(50_000).status == .created)
            try await sender.owner.verifyAddress()
            #expect(try await sender.begin(500_000).status == .created)
        }
    }

    @Test func `when all unfinished uploads are too many bytes, whoever has most makes room`() async throws {
        try await Self.run(PhotoQuotas.Limits(unfinishedBytes: 100_000)) { served in
            let (greedy, modest) = (try await Sender(served), try await Sender(served))
            let older = try await greedy.begin(40_000)
            let newer = try await ServedRoutes.$now.withValue(ServedRoutes.now?.adding(seconds: 1)) {
                try await greedy.begin(40_000, sending: 5)
            }
            let uploads = [older, newer]
            #expect(uploads.map(\.status) == [.created, .created])
            let more = try await greedy.begin(40_000)
            #expect(more.status == .serviceUnavailable && more.headers[.retryAfter] == "60")
            #expect(try await modest.begin(30_000).status == .created)
            let paths = try uploads.map { try #require($0.headers[.location]) }
            for method in [HTTPRequest.Method.head, .get, .delete] {
                #expect(try await greedy.owner.send(method, paths[0]).status == .gone, "the older one has ended")
            }
            let late = try await SampleRequests.resume(
                paths[0], nil, by: greedy.owner, headers: [.uploadOffset: "0", .uploadComplete: "?1"])
            #expect(try late.problem == "gone")
            #expect(try await greedy.owner.send(.head, paths[1]).headers[.uploadOffset] == "5")
            let files = try FileManager.default.contentsOfDirectory(atPath: try served.folder + "/uploads/resumable")
            #expect(files.count == 2)
            // Both have less than this one would have, so nothing is ended, nor counted.
            #expect(try await modest.begin(80_000).status == .serviceUnavailable)
            #expect(try await greedy.owner.send(.head, paths[1]).status == .noContent)
            #expect(try await modest.begin(100_001).status == .serviceUnavailable)
        }
    }

    @Test(arguments: [true, false])
    func `an upload that made room counts as what had arrived, whichever process has its bytes`(isHere: Bool)
        async throws
    {
        try await Self.run(PhotoQuotas.Limits(bytes: 100_000, unfinishedBytes: 100_000)) { served in
            let (greedy, modest) = (try await Sender(served), try await Sender(served))
            #expect(try await greedy.begin(90_000, sending: 1_000).status == .created)
            if isHere {
                #expect(try await modest.begin(50_000).status == .created)
            } else {
                let account = try #require(modest.owner.account)
                let upload = Upload(
                    id: UUID(), account: account, sighting: SightingID(UUID()), key: UUID(), length: 50_000)
                let share = try await served.cases.photos.service.share(of: account)
                _ = try await served.cases.photos.uploads.uploads.begin(
                    upload, countingAs: 50_000, of: share, at: try #require(ServedRoutes.now))
                try await served.cases.photos.uploads.removeExpired(olderThan: -60)
            }
            #expect(try await greedy.sendWhole(99_001).problem == "photo-quota")
            #expect(try await greedy.sendWhole(99_000).status == .unsupportedMediaType)
        }
    }

    @Test(arguments: [true, false])
    func `a length that another request announces meanwhile holds`(isLast: Bool) async throws {
        try await Self.run(PhotoQuotas.Limits(bytes: 25_000_000)) { served in
            let sender = try await Sender(served)
            let path = try #require(try await sender.begin(nil, sending: 10).headers[.location])
            let id = try #require(UUID(uuidString: String(path.suffix(36))))
            let uploads = served.cases.photos.uploads
            let chunks = NIOLockedValueBox([ByteBuffer(repeating: 0, count: 90)])
            let body = AsyncThrowingStream {
                _ = try await uploads.uploads.setLength(20, of: id)
                return chunks.withLockedValue { $0.popLast() }
            }
            let account = try #require(sender.owner.account)
            await #expect(throws: UploadRejection.inconsistentLength) {
                _ = try await uploads.receive(.init(offset: 10, isLast: isLast), body, of: id, by: account)
            }
            #expect(try await sender.owner.send(.head, path).status == .notFound, "it has more bytes than it counts as")
        }
    }

    @Test func `below the reserve of the disk, photos are 503, and an upload goes on when there is room again`()
        async throws
    {
        let free = NIOLockedValueBox(1000)
        let settings = try TestPhotos.settings { free.withLockedValue(\.self) }
        try await ServedRoutes.run(photos: settings) { served in
            let sender = try await Sender(served, verified: false)
            let begun = try await sender.begin(100, sending: 10)
            let path = try #require(begun.headers[.location])
            free.withLockedValue { $0 = 999 }
            let part: HTTPFields = [.uploadOffset: "10", .uploadComplete: "?0"]
            let bytes = ByteBuffer(repeating: 0, count: 5)
            for answer in [
                try await sender.begin(1), try await sender.sendWhole(10),
                try await sender.sendWhole(10, isFramed: false),
                try await SampleRequests.resume(path, bytes, by: sender.owner, headers: part),
            ] {
                #expect(try answer.status == .serviceUnavailable && answer.problem == "unavailable")
                #expect(answer.headers[.retryAfter] == "60")
            }
            _ = try await sender.owner.submit()
            #expect(try await sender.owner.send(.head, path).headers[.uploadOffset] == "10")
            free.withLockedValue { $0 = 1000 }
            let more = try await SampleRequests.resume(path, bytes, by: sender.owner, headers: part)
            #expect(more.status == .noContent)
        }
    }

    @Test func `files of uploads that are gone are removed`() async throws {
        try await ServedRoutes.run { served in
            let sender = try await Sender(served, verified: false)
            let kept = try await sender.begin(100, sending: 10)
            let gone = try await sender.begin(100, sending: 10)
            // By another process, whose folder is another one.
            let id = try #require(gone.headers[.location].flatMap { UUID(uuidString: String($0.suffix(36))) })
            try await served.cases.photos.uploads.uploads.end(id, arrived: 10)
            let folder = try served.folder + "/uploads/resumable"
            try await served.cases.photos.uploads.removeExpired()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2, "it may just begin")
            try await served.cases.photos.uploads.removeExpired(olderThan: -60)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
            #expect(try await sender.owner.send(.head, try #require(kept.headers[.location])).status == .noContent)
            try await ServedRoutes.$now.withValue(.now.adding(seconds: 90_000)) {
                try await served.cases.photos.uploads.removeExpired(olderThan: -60)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }
}
