import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import PhotoStore
import Postgres
import ReadModels
import TestSupport
import Testing
import Vault

@testable import Service
@testable import Web

/// The photos that an account may send in a day, and those that look like earlier ones.
struct PhotoQuotaTests {
    private static let size = TestPhotos.another().readableBytes

    @Test(arguments: [PhotoQuotas.Limits(photos: 2), PhotoQuotas.Limits(bytes: 2 * size)])
    func `an account sends so many photos a day, and so many bytes`(_ quota: PhotoQuotas.Limits) async throws {
        try await ServedRoutes.run(photos: try TestPhotos.settings(quota)) { served in
            try await ServedRoutes.$now.withValue(Self.noon) { try await useUp(served) }
        }
    }

    /// From which no test gets to the next day.
    private static let noon = Instant(startOf: Instant.now.date()).adding(seconds: 43_200)

    private func useUp(_ served: ServedRoutes) async throws {
        let owner = try await Caller.register(served)
        let sighting = try #require(try await owner.submit().text("id"))
        let key = UUID()
        let photo = TestPhotos.another()
        for (key, photo) in [(key, photo), (UUID(), TestPhotos.another())] {
            #expect(try await SampleRequests.addPhoto(to: sighting, by: owner, key: key, photo).status == .created)
        }
        let third = try await SampleRequests.addPhoto(to: sighting, by: owner, TestPhotos.another())
        #expect(try third.status == .tooManyRequests && third.problem == "photo-quota")
        #expect(third.headers[.retryAfter] == "43200", "until the next day")
        let retry = try await SampleRequests.addPhoto(to: sighting, by: owner, key: key, photo)
        #expect(retry.status == .created, "it is there already")

        let other = try await Caller.register(served)
        let others = try #require(try await other.submit().text("id"))
        #expect(try await SampleRequests.addPhoto(to: others, by: other).status == .created)
        let tomorrow = try await ServedRoutes.$now.withValue(Self.noon.adding(seconds: 86_400)) {
            try await SampleRequests.addPhoto(to: sighting, by: owner, TestPhotos.another())
        }
        #expect(tomorrow.status == .created)
    }

    /// The photos and bytes that an account has used of its quota of the day.
    private func used(by owner: Caller, _ served: ServedRoutes) async throws -> [Int64] {
        let account = try #require(owner.account)
        let result = try await served.cases.ground.pool.query(
            "select photos::bigint as photos, bytes from vault.photo_quotas where account = \(account.uuid)")
        return try result.rows.flatMap { [try $0.decode("photos"), try $0.decode("bytes")] }
    }

    @Test func `a photo that the log does not take counts as nothing`() async throws {
        try await ServedRoutes.run { served in
            try await ServedRoutes.$now.withValue(Self.noon) {
                let owner = try await Caller.register(served)
                let sighting = try #require(try await owner.submit().text("id"))
                try await served.database.withConnection(served.database.owner) { connection in
                    _ = try await connection.query("update log.head set epoch = epoch + 1")
                }
                let photo = try await SampleRequests.addPhoto(to: sighting, by: owner)
                #expect(photo.status == .serviceUnavailable)
                #expect(try await used(by: owner, served) == [0, 0])
            }
        }
    }

    @Test func `a photo whose request is cancelled counts as nothing`() async throws {
        try await ServedRoutes.run { served in
            let owner = try await Caller.register(served)
            let sighting = try #require(try await owner.submit().text("id").flatMap(SightingID.init))
            let account = try #require(owner.account)
            let (body, writer) = AsyncStream.makeStream(of: ByteBuffer.self)
            writer.yield(ByteBuffer(repeating: 0, count: 10))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    _ = try? await served.cases.photos.service.receive(
                        CancelledBody(body), length: 1_000, to: sighting, by: account, key: UUID())
                }
                defer { group.cancelAll() }
                try await until("it does not count") { try await used(by: owner, served) == [1, 1_000] }
            }
            #expect(try await used(by: owner, served) == [0, 0])
        }
    }

    @Test func `a photo counts as nothing where the response is 503, and nowhere else`() {
        let lost = PostgresError(server: ServerReport(severity: "ERROR", sqlState: "57P01", message: ""))
        let wrong = PostgresError(server: ServerReport(severity: "ERROR", sqlState: "42P01", message: ""))
        let errors: [any Error] = [
            lost, wrong, CancellationError(), FairTurns.Rejection(isOwn: false), FairTurns.Rejection(isOwn: true),
            CommandError.unavailable(.closed), CommandError.unavailable(.unavailable), CommandError.keyReused,
            CommandError.gone, CommandError.notFound, SentPhotoRejection.busy, SentPhotoRejection.uploadsFull,
            SentPhotoRejection.tooMany, SentPhotoRejection.unreadable, SentPhotoRejection.quota(secondsLeft: 1),
            PhotoSpool.TooLarge(), DiskSpace.Rejection(), ModelBehind(.photos, at: 1, of: 2),
            PhotoStoreError.s3(operation: "PUT", status: 0, code: ""),
            PhotoStoreError.s3(operation: "PUT", status: 403, code: "AccessDenied"),
            ProblemDetails(.badRequest),
        ]
        for error in errors {
            let isUnavailable = ProblemDetails(error)?.type.status == .serviceUnavailable
            #expect(PhotoService.isOurs(error) == isUnavailable, "\(error)")
        }
    }

    @Test func `moderators see which earlier photos are alike, also in a mirror, and others do not`() async throws {
        try await ServedRoutes.run { served in
            let moderator = try await Caller.register(served, role: .moderator)
            var photos: [String] = []
            var answers: [String] = []
            for image in [TestPhotos.jpeg, TestPhotos.tall, TestPhotos.jpeg, TestPhotos.mirrored] {
                let owner = try await Caller.register(served)
                let sighting = try #require(try await owner.submit().text("id"))
                let added = try await SampleRequests.addPhoto(to: sighting, by: owner, image)
                photos.append(try #require(try added.text("id")))
                answers.append(String(buffer: added.body))
                try await served.followToHead()
            }
            let queue = try await moderator.send(.get, "/v1/moderation/queue?subject=photo")
            let alike = try queue["items"]?.items.map { $0["resembles"]?.items.compactMap(\.string) }
            #expect(alike == [[], [], [photos[0]], [photos[2], photos[0]]], "the first and the third are the same")
            #expect(!answers.dropFirst().contains { $0.contains(photos[0]) })
        }
    }
}

/// A body whose end is that its request is cancelled.
private struct CancelledBody: AsyncSequence, Sendable {
    private let chunks: AsyncStream<ByteBuffer>

    init(_ chunks: AsyncStream<ByteBuffer>) { self.chunks = chunks }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var chunks: AsyncStream<ByteBuffer>.AsyncIterator

        mutating func next() async throws -> ByteBuffer? {
            if let chunk = await chunks.next() { return chunk }
            throw CancellationError()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: chunks.makeAsyncIterator()) }
}
