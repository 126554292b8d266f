import Foundation
import NIOConcurrencyHelpers
import NIOHTTP1
import TestSupport
import Testing

@testable import PrivateServer

/// A standby is promoted under load, with two processes of the service and both servers in their URLs.
@Suite("Failover", .serialized)
struct FailoverTests {
    /// The keys that were acknowledged, with the ids of the sightings.
    private let acknowledged = NIOLockedValueBox<[UUID: String]>([:])

    private var count: Int { acknowledged.withLockedValue { $0.count } }

    @Test(.hangs)
    func `with a synchronous standby nothing acknowledged is lost`() async throws {
        try await withServices { pair, services in
            try await pair.makeSynchronous()
            let birder = try await Birder.register(services[0])
            let position = try #require(try await submit(by: birder))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for service in services {
                    for _ in 0..<2 { group.addTask { try await write(by: birder.at(service)) } }
                }
                try await until { count >= 40 }
                try await pair.failOver()
                try await restart(services)
                let before = count
                try await until { count >= before + 20 }
                group.cancelAll()
                while await group.nextResult() != nil {}
            }
            try await expectNewEpoch(position, of: birder, pair)
            for (key, id) in acknowledged.withLockedValue({ $0 }) {
                #expect(try await birder.submit(key: key).text("id") == id)
            }
            // A write under way when the task was cancelled may have been recorded too.
            #expect(try await findings(of: birder).isSuperset(of: acknowledged.withLockedValue { $0 }.values))
        }
    }

    @Test(.hangs)
    func `with an asynchronous one exactly the tail is, and retries record it again`() async throws {
        try await withServices { pair, services in
            let birder = try await Birder.register(services[0])
            for _ in 0..<10 { try await submit(by: birder) }
            let kept = acknowledged.withLockedValue { $0 }
            try await pair.stopReplication()
            for _ in 0..<10 { try await submit(by: birder) }
            let position = try #require(try await submit(by: birder))
            let all = acknowledged.withLockedValue { $0 }
            try await pair.failOver()
            try await restart(services)
            try await expectNewEpoch(position, of: birder, pair)
            #expect(try await findings(of: birder) == Set(kept.values))
            for (key, id) in all {
                let answer = try await birder.submit(key: key)
                #expect(answer.status == 201 && answer.text("id") == id)
            }
            #expect(try await findings(of: birder) == Set(all.values))
        }
    }

    /// Serves with two processes on a streaming pair.
    private func withServices(_ body: @Sendable (StreamingPair, [ServedSkein]) async throws -> Void) async throws {
        try await ServedSkein.inFolder { folder in
            try await StreamingPair.run(in: folder) { pair in
                let settings = ["DATABASE_URL": pair.url(.service), "DATABASE_OWNER_URL": pair.url(.owner)]
                let services = ["a", "b"].map { ServedSkein(folder: folder, name: $0, settings: settings) }
                let result: Result<Void, any Error>
                do {
                    for service in services { try await service.start() }
                    result = .success(try await body(pair, services))
                } catch {
                    result = .failure(error)
                }
                for service in services { await service.stop(SIGTERM) }
                try result.get()
            }
        }
    }

    /// Both processes end with status 75 and are started again, at once.
    private func restart(_ services: [ServedSkein]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in services {
                group.addTask {
                    let process = try #require(service.process)
                    try await until { !process.isRunning }
                    #expect(process.terminationStatus == 75, "\(service.log)")
                    try await service.start()
                }
            }
            try await group.waitForAll()
        }
    }

    /// - Returns: the acknowledgement's `Log-Position`.
    @discardableResult
    private func submit(by birder: Birder, key: UUID = UUID()) async throws -> String? {
        let answer = try await birder.submit(key: key)
        guard answer.status == 201, let id = answer.text("id") else { return nil }
        acknowledged.withLockedValue { $0[key] = id }
        return answer.header("Log-Position")
    }

    /// Submits sightings until cancelled, each until it is acknowledged.
    private func write(by birder: Birder) async throws {
        while !Task.isCancelled {
            let key = UUID()
            while !Task.isCancelled, (try? await submit(by: birder, key: key)) == nil {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// One epoch later, whichever process was first; a position of the epoch before is a conflict.
    private func expectNewEpoch(_ position: String, of birder: Birder, _ pair: StreamingPair) async throws {
        #expect(try await pair.standby.query("select epoch from log.head") == "2")
        let headers = ["Log-Position": position]
        // The service has just started, and may return 503 for a moment.
        try await until { try await birder.send(.GET, "/v1/me/findings", headers: headers).status != 503 }
        #expect(try await birder.send(.GET, "/v1/me/findings", headers: headers).status == 409)
    }

    private func findings(of birder: Birder) async throws -> Set<String> {
        let head = try #require(try await birder.service.send(.GET, "/v1/log").header("Log-Position"))
        var (ids, query): (Set<String>, String?) = ([], "?limit=200")
        while let page = query {
            let list = try await birder.send(.GET, "/v1/me/findings" + page, headers: ["Log-Position": head])
            try #require(list.status == 200)
            ids.formUnion((list["items"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String })
            query = list.text("next").map { "?limit=200&after=" + $0 }
        }
        return ids
    }
}
