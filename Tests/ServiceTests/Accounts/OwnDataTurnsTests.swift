import Domain
import Foundation
import Testing

@testable import Service

struct OwnDataTurnsTests {
    @Test func `an account has one turn, and a process a few, until they are gone`() throws {
        let turns = OwnDataTurns(atOnce: 2)
        let (first, second, third) = (AccountID(UUID()), AccountID(UUID()), AccountID(UUID()))
        var held: [OwnDataTurns.Turn] = [try turns.begin(for: first)]
        #expect(throws: OwnData.Rejection.running) { try turns.begin(for: first) }
        held.append(try turns.begin(for: second))
        #expect(throws: OwnData.Rejection.busy) { try turns.begin(for: third) }
        held.removeFirst()
        held.append(try turns.begin(for: third))
        #expect(throws: OwnData.Rejection.busy) { try turns.begin(for: first) }
    }
}
