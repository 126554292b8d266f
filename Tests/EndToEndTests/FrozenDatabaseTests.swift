import Foundation
import NIOHTTP1
import PrivateServer
import TestSupport
import Testing

@Suite(.hangs)
struct FrozenDatabaseTests {
    private static let settings = ["SKEIN_DATABASE_TIMEOUT": "2"]

    @Test func `every request to a frozen PostgreSQL is 503 in time, and all goes on afterwards`() async throws {
        try await ServedSkein.run(Self.settings) { patient in
            let service = patient.once
            let birder = try await Birder.register(patient).at(service)
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
            // Eight at a time wait for twice the timeout at most, which takes ten seconds. With the default timeout it
            // would be fifty, and without one the client would give up after three minutes.
            #expect(took < .seconds(30), "\(took)")
            try await until("\(service.log)") { try await birder.submit(key: key).status == 201 }
            try await service.becomeReady()
            try await until("no log-in: \(service.log)") {
                try await service.send(.POST, "/v1/sessions", json: login).status == 201
            }
            try await until("no map: \(service.log)") {
                try await service.send(.GET, "/v1/taxa/\(taxon)/map?zoom=8").status == 200
            }
        }
    }
}
