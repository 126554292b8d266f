import Domain
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import Service

struct OwnWritesTests {
    private let accounts = (0..<9).map { _ in AccountID(UUID()) }

    @Test func `each account has the highest position it was told; the operator has none`() {
        let writes = OwnWrites { 0 }
        writes.acknowledge(7, by: accounts[0].uuid)
        writes.acknowledge(5, by: accounts[0].uuid)
        writes.acknowledge(9, by: nil)
        #expect(writes.position(of: accounts[0]) == 7)
        #expect(writes.position(of: accounts[1]) == 0)
    }

    @Test func `positions that every model has reached are forgotten first`() {
        let writes = OwnWrites(capacity: 4) { 3 }
        for index in 0..<5 { writes.acknowledge(Int64(index + 1), by: accounts[index].uuid) }
        #expect(writes.count == 2)
        #expect(accounts.prefix(5).map(writes.position) == [0, 0, 0, 4, 5])
    }

    @Test func `while models lag no account misses its write, and memory stays bounded`() {
        let writes = OwnWrites(capacity: 4) { 0 }
        for (index, account) in accounts.enumerated() {
            writes.acknowledge(Int64(index + 1), by: account.uuid)
            #expect(writes.count <= 4)
        }
        for (index, account) in accounts.enumerated() { #expect(writes.position(of: account) >= Int64(index + 1)) }
        #expect(writes.position(of: accounts[8]) == 9)
    }
}
