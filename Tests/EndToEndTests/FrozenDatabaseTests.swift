import Foundation
import NIOHTTP1
import PrivateServer
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FrozenDatabaseTests {
    private static let settings = ["SKEIN_DATABASE_TIMEOUT": "1"]

    @Test func `every request to a frozen PostgreSQL is 503 in time, and all goes on afterwards`() async throws {
        try await ServedSkein.run(Self.settings) { service in
            let birder = try await Birder.register(service)
            let (key, sent) = (UUID(), try await birder.submit())
            let taxon = try #require(sent.text("taxon.id"))
            let login = #"{"email":"\#(birder.email)","password":"\#(Birder.password)"}"#
            let frozen = try #require(FrozenProcesses(ofCluster: service.folder + "/data/postgres/data"))
            let start = ContinuousClock.now
            let answers = await withTaskGroup(of: Answer?.self) { group in
                for _ in 0..<5 {
                    group.addTask { try? await birder.submit() }
                    group.addTask { try? await birder.submit(key: key) }
                    group.addTask { try? await birder.send(.GET, "/v1/me/findings") }
                    group.addTask { try? await service.send(.GET, "/v1/taxa/\(taxon)/map?zoom=8") }
                    group.addTask { try? await service.send(.GET, "/v1/log") }
                    group.addTask { try? await service.send(.POST, "/v1/sessions", json: login) }
                    group.addTask { try? await service.send(.GET, "/readyz") }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let took = start.duration(to: .now)
            frozen.thaw()
            #expect(answers.count == 35 && answers.allSatisfy { $0?.status == 503 })
            #expect(answers.count { $0?.header("Retry-After") != nil } >= 30)
            // Twice the timeout, and some time for a busy machine.
            #expect(took < .seconds(8), "\(took)")
            let thawed = ContinuousClock.now
            while try await birder.submit(key: key).status != 201 {
                try #require(thawed.duration(to: .now) < .seconds(20), "\(service.log)")
            }
            try await service.becomeReady()
            #expect(try await service.send(.POST, "/v1/sessions", json: login).status == 201)
            #expect(try await service.send(.GET, "/v1/taxa/\(taxon)/map?zoom=8").status == 200)
        }
    }
}
