import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import TestSupport
import Testing

@testable import Service
@testable import Web

/// Many accounts that ask at once.
struct ExportCrowdTests {
    /// The exports that may wait to be made, as the program has it.
    private static let room = ExportSettings.Limits().waiting ?? 0

    @Test func `fifty accounts that ask for the same at once get one export, and each has it`() async throws {
        try await ExportScene.run(TestExports.settings(.with { $0.unverifiedPerDay = 1 })) { scene in
            try await scene.approved()
            let crowd = try await Self.register(50, scene)
            let asked = try await concurrently(crowd) { _, caller in try await scene.ask(by: caller) }
            #expect(asked.count { $0.status == .accepted } == 1 && asked.count { $0.status == .ok } == 49)
            let ids = Set(try asked.map { try $0.text("id") })
            let id = try #require(try asked[0].text("id"))
            #expect(ids == [id])
            let database = scene.served.database
            #expect(try await database.events("ExportRequested", of: id) == 1)
            #expect(try await database.events("ExportJoined", of: id) == 49)
            #expect(try await database.exportJobs() == 1)
            // Joining used neither a turn nor the quota, also if another request was only a moment earlier.
            let other = try await concurrently(crowd) { number, caller in
                try await scene.ask(Self.body(number, scene), by: caller)
            }
            for (first, second) in zip(asked, other) {
                let began = first.status == .accepted
                #expect(try second.problem == (began ? "export-running" : nil))
                #expect(second.status == (began ? .tooManyRequests : .accepted))
            }
            try await scene.make()
            for caller in crowd {
                let own = try await scene.send(.get, "/v1/me/exports", by: caller)
                let items = try own["items"]?.items ?? []
                #expect(items.contains { $0["id"]?.string == id })
                #expect(items.allSatisfy { $0["state"]?.string == "ready" })
            }
            #expect(try await database.events("ExportMade", of: id) == 1)
        }
    }

    @Test func `accounts have one unfinished export each, the room has an end, and all are made`() async throws {
        try await ExportScene.run(TestExports.settings(ExportSettings.Limits())) { scene in
            try await scene.approved()
            // The last one finds no room.
            let crowd = try await Self.register(Self.room + 1, scene)
            let (some, late) = (crowd.dropLast(), crowd[Self.room])
            let first = try await concurrently(Array(some)) { number, caller in
                try await scene.ask(Self.body(number, scene), by: caller)
            }
            #expect(first.allSatisfy { $0.status == .accepted })
            let ids = try first.map { try #require(try $0.text("id")) }
            #expect(Set(ids).count == Self.room)
            #expect(try await scene.served.database.exportJobs() == Self.room)
            let second = try await concurrently(Array(some.prefix(50))) { number, caller in
                try await scene.ask(Self.body(1_000 + number, scene), by: caller)
            }
            for running in second {
                #expect(try running.status == .tooManyRequests && running.problem == "export-running")
            }
            let full = try await scene.ask(Self.body(2_000, scene), by: late)
            #expect(full.status == .serviceUnavailable && full.headers[.retryAfter] != nil)
            // Joining one that waits takes no room.
            #expect(try await scene.ask(Self.body(0, scene), by: late).status == .ok)

            try await scene.make()
            #expect(try await scene.served.database.exportJobs() == 0)
            let bodies = try await concurrently(ids, atMost: 4) { _, id in
                let data = try await scene.data(id)
                #expect(data.status == .ok)
                return data.body
            }
            #expect(Set(bodies.map { Hexadecimal.sha256(of: $0) }).count == 1)
            for (caller, id) in zip(some, ids) {
                let own = try await scene.send(.get, "/v1/me/exports", by: caller)
                #expect(try own["items"]?.items.count == 1 && own.text("items.0.id") == id)
                #expect(try own.text("items.0.state") == "ready")
            }
            #expect(try await scene.ask(Self.body(2_000, scene), by: late).status == .accepted)
            try await scene.make()
            #expect(try await scene.served.database.exportJobs() == 0)
        }
    }

    /// A request that only the number distinguishes: all have the same records.
    private static func body(_ number: Int, _ scene: ExportScene) -> String {
        #"{"format":"csv","filter":{"maxUncertaintyMetres":\#(10_000 + number)},"asOf":"\#(scene.day)"}"#
    }

    private static func register(_ count: Int, _ scene: ExportScene) async throws -> [Caller] {
        try await concurrently(Array(0..<count)) { _, _ in try await Caller.register(scene.served) }
    }
}
