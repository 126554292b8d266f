import Crypto
import Domain
import Foundation
import TestRandom
import Testing
import Vault

@testable import Service

struct AccessTokensTests {
    private let time = TestTime()
    private let keys = KeysInMemory()

    private func process(remembered: Int = 100) -> AccessTokens {
        AccessTokens(keys: keys, remembered: remembered, now: time.now)
    }

    @discardableResult
    private func addKey(hours: Double = 48) -> SigningKey {
        keys.add(at: time.now(), retires: time.now().addingTimeInterval(hours * 3600))
    }

    private func principal(_ roles: Set<Role> = [.birder, .moderator]) -> Principal {
        Principal(accountID: AccountID(UUID()), sessionID: UUID(), roles: roles)
    }

    /// The three parts of a token, the first two as JSON.
    private func parts(_ token: String) throws -> [[String: Any]] {
        try token.split(separator: ".").prefix(2).map { part in
            var base64 = part.replacing("-", with: "+").replacing("_", with: "/")
            while base64.count % 4 != 0 { base64 += "=" }
            let object = try JSONSerialization.jsonObject(with: #require(Data(base64Encoded: String(base64))))
            return try #require(object as? [String: Any])
        }
    }

    /// A token of any header and claims, signed with HMAC-SHA-256.
    private func forge(_ header: String, _ claims: String, secret: [UInt8]) -> String {
        func base64URL(_ data: Data) -> String {
            data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        let input = base64URL(Data(header.utf8)) + "." + base64URL(Data(claims.utf8))
        let mac = HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: SymmetricKey(data: secret))
        return input + "." + base64URL(Data(mac))
    }

    private func claims(lifetime: Int = 900) -> String {
        let now = Int(time.now().timeIntervalSince1970)
        return """
            {"sub":"\(UUID().uuidString.lowercased())","sid":"\(UUID().uuidString.lowercased())",\
            "roles":["birder"],"iat":\(now),"exp":\(now + lifetime),"jti":"x"}
            """
    }

    @Test func `a token says who it belongs to, for a quarter of an hour`() async throws {
        let key = addKey()
        let (tokens, owner) = (process(), principal())
        let issued = try await tokens.issue(for: owner)
        #expect(issued.expiresIn == 900)
        #expect(try await tokens.principal(of: issued.text) == owner)
        #expect(try await process().principal(of: issued.text) == owner)

        let (header, claims) = (try parts(issued.text)[0], try parts(issued.text)[1])
        #expect(header["kid"] as? String == key.kid.uuidString.lowercased())
        #expect(header["alg"] as? String == "HS256")
        #expect(claims["sub"] as? String == owner.accountID.description)
        #expect(claims["sid"] as? String == owner.sessionID.uuidString.lowercased())
        #expect(claims["roles"] as? [String] == ["birder", "moderator"])
        #expect(claims["exp"] as? Int == (claims["iat"] as? Int).map { $0 + 900 })
        #expect(claims["jti"] != nil)
        #expect(try await tokens.issue(for: owner).text != issued.text)
    }

    @Test func `it runs out, whether it is remembered or seen for the first time`() async throws {
        addKey()
        let tokens = process()
        let token = try await tokens.issue(for: principal()).text
        time.advance(899)
        _ = try await tokens.principal(of: token)
        time.advance(1)
        await #expect(throws: AccessTokenRejection.expired) { try await tokens.principal(of: token) }
        await #expect(throws: AccessTokenRejection.expired) { try await process().principal(of: token) }
    }

    @Test func `its session's end revokes it, remembered or not, and no other session's`() async throws {
        addKey()
        let tokens = process()
        let (ended, other) = (principal(), principal())
        let remembered = try await tokens.issue(for: ended).text
        _ = try await tokens.principal(of: remembered)
        let unseen = try await tokens.issue(for: ended).text
        let kept = try await tokens.issue(for: other).text
        tokens.revoke([ended.sessionID])
        await #expect(throws: AccessTokenRejection.revoked) { try await tokens.principal(of: remembered) }
        await #expect(throws: AccessTokenRejection.revoked) { try await tokens.principal(of: unseen) }
        #expect(try await tokens.principal(of: kept) == other)
        time.advance(899)
        await #expect(throws: AccessTokenRejection.revoked) { try await tokens.principal(of: unseen) }
    }

    @Test func `a change of any character is noticed`() async throws {
        addKey()
        let tokens = process()
        let token = try await tokens.issue(for: principal()).text
        for index in token.indices where token[index] != "." {
            var changed = token
            changed.replaceSubrange(index...index, with: token[index] == "A" ? "B" : "A")
            let place = token.distance(from: token.startIndex, to: index)
            await #expect(throws: AccessTokenRejection.invalid, "at \(place)") {
                try await tokens.principal(of: changed)
            }
        }
    }

    @Test func `another algorithm, no key, an unknown key or another secret is rejected`() async throws {
        let key = addKey()
        let kid = key.kid.uuidString.lowercased()
        func verdict(_ header: String, secret: [UInt8]) async throws -> Principal {
            try await process().principal(of: forge(header, claims(), secret: secret))
        }
        // Valid, or the rejections below would prove nothing.
        _ = try await verdict(#"{"alg":"HS256","typ":"JWT","kid":"\#(kid)"}"#, secret: key.secret)
        let headers = [
            #"{"alg":"none","kid":"\#(kid)"}"#, #"{"alg":"HS512","kid":"\#(kid)"}"#, #"{"kid":"\#(kid)"}"#,
            #"{"alg":"HS256"}"#, #"{"alg":"HS256","kid":"\#(UUID())"}"#, #"{"alg":"HS256","kid":""}"#,
        ]
        for header in headers {
            await #expect(throws: AccessTokenRejection.invalid, "\(header)") {
                try await verdict(header, secret: key.secret)
            }
        }
        let other = [UInt8](repeating: 7, count: 32)
        await #expect(throws: AccessTokenRejection.invalid) {
            try await verdict(#"{"alg":"HS256","kid":"\#(kid)"}"#, secret: other)
        }
    }

    @Test func `claims of another form are rejected, unknown roles passed over`() async throws {
        let key = addKey()
        let header = #"{"alg":"HS256","kid":"\#(key.kid.uuidString.lowercased())"}"#
        for text in ["{}", "[]", "", "{\"sub\":1}", claims().replacing("\"sid\":\"", with: "\"sid\":\"x")] {
            await #expect(throws: AccessTokenRejection.invalid, "\(text)") {
                try await process().principal(of: forge(header, text, secret: key.secret))
            }
        }
        let future = claims().replacing("[\"birder\"]", with: "[\"birder\",\"ranger\"]")
        #expect(try await process().principal(of: forge(header, future, secret: key.secret)).roles == [.birder])
    }

    @Test(arguments: RandomSource.seeds(300))
    func `texts of any form never trap`(seed: UInt64) async throws {
        var random = RandomSource(seed: seed)
        addKey()
        let tokens = process()
        var bytes = Array(try await tokens.issue(for: principal()).text.utf8)
        for _ in 0...random.int(in: 0...6) where !bytes.isEmpty {
            let index = random.int(in: 0...(bytes.count - 1))
            switch random.int(in: 0...3) {
            case 0: bytes.removeSubrange(index...)
            case 1: bytes.insert(UInt8(ascii: "."), at: index)
            case 2: bytes.replaceSubrange(index...index, with: Array(random.text(length: 0...4).utf8))
            default: bytes[index] = random.bytes(1)[0]
            }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        await #expect(throws: AccessTokenRejection.self) {
            _ = try await tokens.principal(of: text)
            // The last character changed may have left the same signature.
            throw AccessTokenRejection.invalid
        }
        for text in ["", ".", "..", "...", String(repeating: "a", count: 1 << 20)] {
            await #expect(throws: AccessTokenRejection.invalid) { try await tokens.principal(of: text) }
        }
    }
}
