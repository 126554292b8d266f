import AsyncHTTPClient
import Domain
import EventLog
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOConcurrencyHelpers
import NIOHTTP1
import Postgres
import TestSupport
import Testing

@testable import Service
@testable import Web
@testable import WebAPI

/// How streams of events end.
extension EventStreamTests {
    /// The ways in which a session ends.
    enum Ending: CaseIterable {
        case logOut, password, sessionDeleted, expiry, keyDeleted, keyExpired, accountGone
    }

    @Test(arguments: Ending.allCases)
    func `a stream ends within five seconds of its session`(ending: Ending) async throws {
        let served = try ServedRoutes.required
        let scene = try await NotifiedScene(served)
        let other = try await scene.birder.another()
        let clock = ManualClock()
        #expect(EventStreams.checkPeriod < .seconds(4))
        try await serve(served, clock: clock) { port in
            let isKey = [.keyDeleted, .keyExpired].contains(ending)
            let key = isKey ? try await scene.birder.script(#"["read"]"#) : nil
            var reader = try await EventReader(port, key?.caller ?? scene.birder)
            var kept = try await EventReader(port, other)
            #expect(reader.response.status == .ok && kept.response.status == .ok)
            await sleepAndAdvance(clock, 3)
            #expect(served.cases.notifications.streams.count == 2)
            try await end(ending, scene, other, key: key?.id)
            await sleepAndAdvance(clock, 3)
            #expect(await reader.ends())
            if ending != .accountGone {
                let sighting = try #require(try await other.submit().text("id"))
                try await scene.approve(sighting)
                #expect(try await kept.events(1).first?.hasSuffix("approved") == true)
            } else {
                #expect(await kept.ends())
            }
        }
    }

    private func end(_ ending: Ending, _ scene: NotifiedScene, _ other: Caller, key: String?) async throws {
        let birder = scene.birder
        func database(_ statement: SQL) async throws {
            try await scene.served.database.withConnection(scene.served.database.owner) {
                _ = try await $0.query(statement)
            }
        }
        switch ending {
        case .logOut: _ = try await birder.send(.delete, "/v1/sessions/current")
        case .password:
            let body = #"{"oldPassword":"\#(Caller.password)","newPassword":"nine owls in a barn"}"#
            #expect(try await other.send(.put, "/v1/me/password", json: body).status == .noContent)
        case .sessionDeleted:
            let sessions = try await other.send(.get, "/v1/me/sessions")
            for session in try sessions["items"]?.items ?? [] where session["current"] == .boolean(false) {
                _ = try await other.send(.delete, "/v1/me/sessions/\(session["id"]?.string ?? "")")
            }
        case .expiry:
            let session = try await scene.served.cases.accounts.callers.verify(birder.token ?? "").sessionID
            try await database("update vault.sessions set expires_at = now() where id = \(session)")
        case .keyDeleted: _ = try await birder.send(.delete, "/v1/me/keys/\(key ?? "")")
        case .keyExpired:
            try await database(
                "update vault.api_keys set expires_at = now() where account = \(try scene.account.uuid)")
        case .accountGone:
            let account = try scene.account.uuid
            let position: Int64 = try await scene.served.database.withConnection(scene.served.database.owner) {
                try await $0.query("select position from log.events where stream = \(account) and version = 1")
                    .onlyRow().decode("position")
            }
            _ = try await scene.served.database.withConnection(scene.served.database.owner) {
                try await Redaction.redact(position: position, reason: "personal-data", $0)
            }
            try await scene.served.followToHead()
        }
    }

    @Test func `a stop ends open streams, and waits for none`() async throws {
        let served = try ServedRoutes.required
        let scene = try await NotifiedScene(served)
        let open = NIOLockedValueBox<[HTTPClientResponse]>([])
        try await serve(served) { port in
            for _ in 0..<3 {
                let response = try await EventReader.open(port, scene.birder)
                open.withLockedValue { $0.append(response) }
            }
        }
        for response in open.withLockedValue(\.self) {
            var reader = EventReader(response)
            #expect(await reader.ends())
        }
    }
}
