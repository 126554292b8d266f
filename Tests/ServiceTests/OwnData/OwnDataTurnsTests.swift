import Domain
import Foundation
import TestSupport
import Testing

@testable import Service

@Suite(.hangs)
struct OwnDataTurnsTests {
    private let accounts = (0..<5).map { _ in AccountID(UUID()) }

    @Test func `an account has one turn, and a process a few, until they are gone`() async throws {
        let turns = OwnDataTurns(atOnce: 2, longest: .zero)
        var held: [OwnDataTurns.Turn] = [try await turns.begin(for: accounts[0])]
        await #expect(throws: OwnData.Rejection.running) { try await turns.begin(for: accounts[0]) }
        held.append(try await turns.begin(for: accounts[1]))
        await #expect(throws: OwnData.Rejection.busy(isOwn: false)) { try await turns.begin(for: accounts[2]) }
        held.removeFirst()
        held.append(try await turns.begin(for: accounts[2]))
        await #expect(throws: OwnData.Rejection.busy(isOwn: false)) { try await turns.begin(for: accounts[0]) }
    }

    @Test func `a client has one turn, whatever its accounts`() async throws {
        let turns = OwnDataTurns(atOnce: 8, longest: .zero)
        var held: [OwnDataTurns.Turn] = []
        try await TurnClient.$address.withValue("192.0.2.1") {
            held.append(try await turns.begin(for: accounts[0]))
            for account in accounts[1...] {
                await #expect(throws: OwnData.Rejection.busy(isOwn: true)) { try await turns.begin(for: account) }
            }
        }
        try await TurnClient.$address.withValue("192.0.2.2") { held.append(try await turns.begin(for: accounts[1])) }
        held.removeFirst()
        try await TurnClient.$address.withValue("192.0.2.1") { held.append(try await turns.begin(for: accounts[2])) }
    }
}
