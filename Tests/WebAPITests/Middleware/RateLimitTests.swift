import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOConcurrencyHelpers
import TestRandom
import Testing

@testable import Service
@testable import Web

struct RateLimitTests {
    /// A clock that goes when it is told to.
    final class Hand: Sendable {
        private let start = ContinuousClock.now
        private let offset = NIOLockedValueBox(Duration.zero)

        func advance(_ duration: Duration) { offset.withLockedValue { $0 += duration } }
        var now: ContinuousClock.Instant { start + offset.withLockedValue { $0 } }
    }

    private let policy = RateLimitPolicy(name: "trial", quota: 6, window: .seconds(60))

    @Test func `a quota is used up and fills again, evenly`() {
        let hand = Hand()
        let limiter = RateLimiter(policy) { hand.now }
        let key = RateLimitKey.account(AccountID(UUID()))
        for left in (0..<6).reversed() {
            let decision = limiter.take(key)
            #expect(decision.isAllowed)
            #expect(decision.remaining == left)
        }
        let rejected = limiter.take(key)
        #expect(!rejected.isAllowed)
        #expect(rejected.retryAfter == 10)
        #expect(rejected.secondsToFull == 60)
        hand.advance(.seconds(9))
        #expect(!limiter.take(key).isAllowed)
        hand.advance(.seconds(1))
        #expect(limiter.take(key).isAllowed)
        #expect(!limiter.take(key).isAllowed)
    }

    @Test func `one client's use is not another's`() {
        let hand = Hand()
        let limiter = RateLimiter(policy) { hand.now }
        let (one, other) = (RateLimitKey.account(AccountID(UUID())), RateLimitKey.account(AccountID(UUID())))
        for _ in 0..<6 { _ = limiter.take(one) }
        #expect(!limiter.take(one).isAllowed)
        #expect(limiter.take(other).isAllowed)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `nobody ever gets more than the quota and what has refilled`(seed: UInt64) {
        var generator = RandomSource(seed: seed)
        let hand = Hand()
        let limiter = RateLimiter(policy) { hand.now }
        let key = RateLimitKey.account(AccountID(UUID()))
        var (allowed, seconds) = (0, 0.0)
        for _ in 0..<2000 {
            let step = Int.random(in: 0...9000, using: &generator)
            hand.advance(.milliseconds(step))
            seconds += Double(step) / 1000
            if limiter.take(key).isAllowed { allowed += 1 }
            #expect(Double(allowed) <= 6 + seconds / 10 + 1e-6)
        }
        // Steps average 4.5 s and a request refills in 10 s: nearly everything that may go through does.
        #expect(Double(allowed) >= seconds / 10 - 1)
    }

    @Test func `buckets of clients that went away are forgotten`() {
        let hand = Hand()
        let limiter = RateLimiter(policy) { hand.now }
        for _ in 0..<20 {
            for _ in 0..<500 { _ = limiter.take(.account(AccountID(UUID()))) }
            hand.advance(.seconds(61))
        }
        #expect(limiter.bucketCount <= 3 * 500)
    }

    @Test func `answers tell the state of the quota, rejections too`() async throws {
        var fixture = APIFixture()
        fixture.settings.credentialLimit = RateLimitPolicy(name: "credentials", quota: 2, window: .seconds(3600))
        try await fixture.test { client in
            let headers: HTTPFields = [.forwardedFor: "203.0.113.9"]
            let first = try await client.execute(uri: "/v1/credentials", method: .post, headers: headers)
            #expect(first.status == .ok)
            #expect(first.headers[.rateLimitPolicy] == "\"credentials\";q=2;w=3600")
            #expect(first.headers[.rateLimit]?.hasPrefix("\"credentials\";r=1;t=") == true)
            _ = try await client.execute(uri: "/v1/credentials", method: .post, headers: headers)
            let third = try await client.execute(uri: "/v1/credentials", method: .post, headers: headers)
            #expect(third.status == .tooManyRequests)
            #expect(third.headers[.retryAfter].flatMap { Int($0) } ?? 0 > 0)
            #expect(third.headers[.rateLimit]?.contains("r=0") == true)
            let other = try await client.execute(
                uri: "/v1/credentials", method: .post, headers: [.forwardedFor: "203.0.113.10"])
            #expect(other.status == .ok)
        }
    }

    @Test func `a client cannot choose its address by writing headers`() async throws {
        var fixture = APIFixture()
        fixture.settings.credentialLimit = RateLimitPolicy(name: "credentials", quota: 1, window: .seconds(60))
        try await fixture.test { client in
            for (index, forged) in ["198.51.100.1", "198.51.100.2"].enumerated() {
                let response = try await client.execute(
                    uri: "/v1/credentials", method: .post, headers: [.forwardedFor: "\(forged), 203.0.113.9"])
                #expect(response.status == (index == 0 ? .ok : .tooManyRequests))
            }
        }
    }

    @Test(arguments: [
        ("192.0.2.7", "::ffff:192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::1", true), ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
        ("2001:db8::1", "2001:db8:0:0:5::", true), ("::1", "::2", true),
    ])
    func `addresses of one client are one`(one: String, other: String, same: Bool) throws {
        let (one, other) = (try #require(ClientAddress(text: one)), try #require(ClientAddress(text: other)))
        #expect((one == other) == same)
    }
}
