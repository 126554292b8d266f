import Domain
import Foundation
import Testing
import Vault

@testable import Service

struct SigningKeyRotationTests {
    private let time = TestTime()
    private let keys = KeysInMemory()
    private let owner = Principal(accountID: AccountID(UUID()), sessionID: UUID(), roles: [.birder])

    private func process() -> AccessTokens {
        AccessTokens(keys: keys, now: time.now)
    }

    @discardableResult
    private func addKey(lifetime: Double = 172_800) -> SigningKey {
        keys.add(at: time.now(), retires: time.now().addingTimeInterval(lifetime))
    }

    private func kid(_ token: String) throws -> String {
        let header = try #require(token.split(separator: ".").first)
        var base64 = header.replacing("-", with: "+").replacing("_", with: "/")
        while base64.count % 4 != 0 { base64 += "=" }
        let object = try JSONSerialization.jsonObject(with: #require(Data(base64Encoded: String(base64))))
        return try #require((object as? [String: Any])?["kid"] as? String)
    }

    @Test func `a new key signs after a minute; tokens of the old one are good until they run out`() async throws {
        let old = addKey()
        let tokens = process()
        let first = try await tokens.issue(for: owner).text
        time.advance(86_000)
        let last = try await tokens.issue(for: owner).text
        let new = addKey()
        time.advance(30)
        let meanwhile = try await tokens.issue(for: owner).text
        time.advance(30)
        let next = try await tokens.issue(for: owner).text
        for token in [first, last, meanwhile] { #expect(try kid(token) == old.kid.uuidString.lowercased()) }
        #expect(try kid(next) == new.kid.uuidString.lowercased())
        #expect(try await process().principal(of: last) == owner)
        #expect(try await process().principal(of: meanwhile) == owner)
        #expect(try await process().principal(of: next) == owner)
    }

    @Test func `the very first key signs at once`() async throws {
        let tokens = process()
        await #expect(throws: NoSigningKey.self) { try await tokens.issue(for: owner) }
        addKey()
        time.advance(30)
        #expect(try await tokens.principal(of: tokens.issue(for: owner).text) == owner)
    }

    @Test func `a key about to retire signs nothing that would outlive it`() async throws {
        addKey(lifetime: 1000)
        let tokens = process()
        time.advance(100)
        _ = try await tokens.issue(for: owner)
        time.advance(1)
        await #expect(throws: NoSigningKey.self) { try await tokens.issue(for: owner) }
    }

    @Test func `a process that does not know a key yet looks once, and not again forevery unknown name`() async throws {
        addKey()
        let (one, other) = (process(), process())
        _ = try await other.principal(of: one.issue(for: owner).text)
        time.advance(10)
        addKey()
        time.advance(86_400)
        let token = try await one.issue(for: owner).text
        #expect(try await other.principal(of: token) == owner)

        let lookups = keys.lookups
        let foreign = AccessTokens(keys: KeysInMemory.single(at: time.now()), now: time.now)
        for _ in 0..<100 {
            let stranger = try await foreign.issue(for: owner).text
            await #expect(throws: AccessTokenRejection.invalid) { try await other.principal(of: stranger) }
        }
        #expect(keys.lookups == lookups)
        time.advance(1)
        let stranger = try await foreign.issue(for: owner).text
        await #expect(throws: AccessTokenRejection.invalid) { try await other.principal(of: stranger) }
        #expect(keys.lookups == lookups + 1)
    }

    @Test func `a key that is deleted takes all its tokens along, those remembered as well`() async throws {
        let leaked = addKey()
        let tokens = process()
        let token = try await tokens.issue(for: owner).text
        #expect(try await tokens.principal(of: token) == owner)
        keys.remove(leaked.kid)
        addKey()
        try await tokens.refreshKeys()
        await #expect(throws: AccessTokenRejection.invalid) { try await tokens.principal(of: token) }
    }

    @Test func `a remembered token costs no look at keys or signatures`() async throws {
        addKey()
        let tokens = process()
        let token = try await tokens.issue(for: owner).text
        let lookups = keys.lookups
        for _ in 0..<1000 { _ = try await tokens.principal(of: token) }
        #expect(keys.lookups == lookups)
        #expect(tokens.remembered.tokens == 1)
    }
}

extension KeysInMemory {
    /// One key, made at a moment.
    fileprivate static func single(at moment: Date) -> KeysInMemory {
        let keys = KeysInMemory()
        keys.add(at: moment, retires: moment.addingTimeInterval(172_800))
        return keys
    }
}
