import EventLog
import HTTPTypes
import HummingbirdTesting
import Postgres
import ReadModels
import TestSupport
import Testing

@testable import Service
@testable import WebAPI

@Suite(.hangs) struct ObserverNameTests {
    @Test func `a public record waits for its observer's name`() async throws {
        try await ServedRoutes.run { served in
            try await served.database.withConnection(served.database.owner) { owner in
                _ = try await owner.query("begin")
                try await Self.lockNames(owner)
                let birder = try await Caller.register(served)
                let sent = try await birder.submit()
                let path = "/v1/sightings/\(try #require(try sent.text("id")))"
                let position = try sent.position
                async let record = Caller.anonymous(served).send(.get, path, headers: position)
                try await Self.wait(for: served.cases.ground.log.progress)
                _ = try await owner.query("rollback")
                let answer = try await record
                #expect(try answer.text("observer.displayName")?.hasPrefix("birder ") == true)
            }
        }
    }

    @Test func `without the name a record is 503`() async throws {
        try await ServedRoutes.run { served in
            try await served.database.withConnection(served.database.owner) { owner in
                let birder = try await Caller.register(served)
                _ = try await owner.query("begin")
                try await Self.lockNames(owner)
                let sent = try await birder.submit()
                let path = "/v1/sightings/\(try #require(try sent.text("id")))"
                // Once: a caller would try again.
                let answer = try await served.client.execute(uri: path, method: .get, headers: sent.position)
                #expect(try answer.status == .serviceUnavailable && answer.problem == "model-behind")
                _ = try await owner.query("rollback")
            }
        }
    }

    private static func lockNames(_ owner: PostgresConnection) async throws {
        _ = try await owner.query(
            "select from model.checkpoints where name = \(ReadModel.accounts.name) for update")
    }

    /// Returns when a request waits for the names.
    private static func wait(for progress: ModelProgress) async throws {
        try await until("no request waits for the names") { progress.isAwaited(ReadModel.accounts.name) }
    }
}
