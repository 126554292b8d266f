import Foundation
import HTTPTypes
import Hummingbird
import PhotoStore
import ServiceLifecycle
import Synchronization
import Testing

/// Answers with the statuses of a list, one after the other, and then 200 with an empty body.
private final class FaultyService: Sendable {
    let asked = Mutex<[String]>([])
    let faults: [HTTPResponse.Status]

    init(_ faults: [HTTPResponse.Status]) { self.faults = faults }

    func run(_ body: @Sendable (S3PhotoStore) async throws -> Void) async throws {
        let (ports, announced) = AsyncStream.makeStream(of: Int.self)
        let responder = CallbackResponder<BasicRequestContext> { request, _ in
            for try await _ in request.body {}
            let count = self.asked.withLock { asked in
                asked.append("\(request.method) \(request.uri.path)")
                return asked.count
            }
            return Response(status: count <= self.faults.count ? self.faults[count - 1] : .ok)
        }
        let application = Application(
            responder: responder, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { announced.yield($0.localAddress?.port ?? 0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            var iterator = ports.makeAsyncIterator()
            let port = try #require(await iterator.next())
            try await body(
                S3PhotoStore(
                    try S3Location("s3://bucket?endpoint=http://127.0.0.1:\(port)"),
                    S3Credentials(accessKey: "a", secretKey: "b"), firstWait: .milliseconds(1)))
            group.cancelAll()
        }
    }
}

struct S3RetryTests {
    private static let digest = PhotoFiles.digest([1])

    @Test(arguments: [
        ([HTTPResponse.Status.serviceUnavailable, .internalServerError, .tooManyRequests, .badGateway], 5, true),
        (Array(repeating: .serviceUnavailable, count: 9), 5, false),
        ([.forbidden], 1, false),
    ])
    func `what may help is tried again, five times in all`(
        faults: [HTTPResponse.Status], asked: Int, succeeds: Bool
    ) async throws {
        let service = FaultyService(faults)
        try await service.run { store in
            if succeeds {
                _ = try await store.size(of: Self.digest)
            } else {
                await #expect(throws: PhotoStoreError.self) { _ = try await store.size(of: Self.digest) }
            }
        }
        #expect(service.asked.withLock { $0.count } == asked)
    }

    @Test func `a body is sent again whole`() async throws {
        try await PhotoFiles.withFolder { folder in
            try Data([1]).write(to: URL(filePath: folder + "/small"))
            let service = FaultyService([.serviceUnavailable])
            try await service.run { try await $0.put(folder + "/small", as: Self.digest) }
            #expect(service.asked.withLock { $0.map { $0.prefix(4) } } == ["PUT ", "PUT "])
        }
    }

    @Test func `a service that is not there is a temporary failure`() async throws {
        let store = S3PhotoStore(
            try S3Location("s3://bucket?endpoint=http://127.0.0.1:1"), S3Credentials(accessKey: "a", secretKey: "b"),
            firstWait: .milliseconds(1))
        let error = await #expect(throws: PhotoStoreError.self) { _ = try await store.size(of: Self.digest) }
        #expect(error?.isTemporary == true)
    }
}
