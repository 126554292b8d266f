import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestSupport
import Testing
import Vault

@testable import Service
@testable import Web

/// A client fills disks, with as many accounts and in as many ways as it finds.
@Suite(.hangs) struct DiskAttackTests {
    /// Few of everything, so that the ends are soon reached. The addresses of clients come from a proxy.
    private static func settings(photoBytes: Int? = nil) -> APISettings {
        var settings = APISettings(
            accountLimits: .none, clientLimit: nil, credentialLimit: nil, recoveryLimit: nil, trustedProxies: 1)
        settings.photoLimit = RateLimitPolicy.photos.with(quota: photoBytes ?? 0)
        return settings
    }

    private static func quotas(signUps: Int = 4) -> UseCaseLimits {
        var quotas = UseCaseLimits()
        quotas.signUps = RateLimitPolicy.signUps.with(quota: signUps)
        return quotas
    }

    private static let quota = PhotoQuotas.Limits(
        photos: 12, bytes: 500_000, unverifiedBytes: 60_000, unfinishedBytes: 150_000)

    @Test func `a client that fills disks gets as far as its accounts, and no further`() async throws {
        let photos = try TestPhotos.settings(Self.quota)
        try await ServedRoutes.run(settings: Self.settings(), quotas: Self.quotas(), photos: photos) { served in
            // From which it does not get to the next day.
            let noon = Instant(startOf: Instant.now.date()).adding(seconds: 43_200)
            try await ServedRoutes.$now.withValue(noon) { try await fill(served) }
        }
    }

    private func fill(_ served: ServedRoutes) async throws {
        var flooder = Flooder(served, at: "203.0.113.9")
        try await flooder.signUp()
        #expect(flooder.members.count == 4)
        let moves = Flooder.Move.allCases
        for (index, member) in flooder.members.enumerated() {
            // Each member begins with other moves.
            for move in moves[(index * 2)...] + moves[..<(index * 2)] {
                for _ in 0..<8 {
                    guard try await flooder.make(move, by: member, bytes: 19_000) else { break }
                    #expect(try served.unfinishedBytes <= 150_000)
                }
            }
        }
        #expect(flooder.acceptedBytes > 3 * 60_000, "the attack uses what it may")
        #expect(flooder.acceptedBytes <= 4 * 60_000)
        #expect(try served.bytes(in: "uploads") <= 150_000)
        // Of each photo there are three sizes beside the original.
        #expect(try served.files(in: "photos") <= 4 * 12 * 4)

        var other = Flooder(served, at: "203.0.113.10")
        try await other.signUp(atMost: 1)
        let member = try #require(other.members.first)
        let isAccepted = try await other.make(.begin, by: member, bytes: 19_000)
        #expect(isAccepted, "others are not kept out")
    }

    @Test func `a client sends so many bytes of photos, whatever its accounts`() async throws {
        let photos = try TestPhotos.settings()
        let settings = Self.settings(photoBytes: 200_000)
        try await ServedRoutes.run(settings: settings, quotas: Self.quotas(), photos: photos) { served in
            var flooder = Flooder(served, at: "203.0.113.9")
            try await flooder.signUp()
            for member in flooder.members {
                for move in Flooder.Move.allCases {
                    for _ in 0..<8 {
                        guard try await flooder.make(move, by: member, bytes: 70_000) else { break }
                    }
                }
            }
            #expect((140_000...210_000).contains(flooder.acceptedBytes), "\(flooder.acceptedBytes)")
            var other = Flooder(served, at: "203.0.113.10")
            try await other.signUp(atMost: 1)
            let member = try #require(other.members.first)
            let isAccepted = try await other.make(.begin, by: member, bytes: 70_000)
            #expect(isAccepted, "others are not affected")
        }
    }

    @Test func `whatever an account may store has an end`() async throws {
        var settings = Self.settings()
        settings.accountLimits = AccountLimits(items: 0, bytes: 0, keyItems: 0, dailyWrites: 60, newcomerWrites: 60)
        let (quotas, photos) = (Self.quotas(signUps: 1), try TestPhotos.settings())
        try await ServedRoutes.run(
            settings: settings, quotas: quotas, photos: photos, unverifiedSightings: 3
        ) { served in
            var flooder = Flooder(served, at: "203.0.113.9")
            try await flooder.signUp()
            let member = try #require(flooder.members.first)
            let sightings = try await flooder.accepted(of: 6, member, .post, "/v1/sightings") { _ in Caller.sighting() }
            #expect(sightings == 2, "the first one was sent before")
            let keys = try await flooder.accepted(of: 22, member, .post, "/v1/me/keys") { number in
                #"{"name":"script \#(number)","scopes":["read"]}"#
            }
            #expect(keys == 20)
            let mails = try await flooder.accepted(of: 8, member, .post, "/v1/me/email-verifications") { _ in nil }
            #expect(mails == 5)
            let path = "/v1/me/findings/\(member.sighting)"
            var notes = 0
            for number in 0..<60 {
                let patched = try await member.caller.send(
                    .patch, path, headers: [.ifMatch: "*", .forwardedFor: "203.0.113.9"],
                    json: #"{"notes":"\#(String(repeating: "x", count: 3990)) \#(number)"}"#)
                if patched.status == .ok { notes += 1 }
            }
            #expect((1..<60).contains(notes), "all writes together have an end: \(notes)")
            for _ in 0..<RefreshTokens.mostSessions + 5 {
                let session = try await Caller.anonymous(served).send(
                    .post, "/v1/sessions", json: Caller.credentials(member.caller.email))
                #expect(session.status == .created)
            }
            let open = try await served.cases.ground.pool.query(
                "SELECT count(*) AS number FROM vault.sessions WHERE ended_at IS NULL"
            ).onlyRow().decode("number", as: Int64.self)
            #expect(open == Int64(RefreshTokens.mostSessions))
        }
    }
}

extension ServedRoutes {
    /// Bytes of unfinished uploads, as they are counted.
    fileprivate var unfinishedBytes: Int { get throws { try bytes(in: "uploads/resumable") } }

    /// The bytes of the files in a folder beside the database.
    fileprivate func bytes(in name: String) throws -> Int {
        try paths(in: name).reduce(0) { sum, path in
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return sum + (attributes[.type] as? FileAttributeType == .typeRegular ? attributes[.size] as? Int ?? 0 : 0)
        }
    }

    fileprivate func files(in name: String) throws -> Int {
        try paths(in: name).count { path in
            try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType == .typeRegular
        }
    }

    private func paths(in name: String) throws -> [String] {
        let folder = try self.folder + "/" + name
        return (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []).map { "\(folder)/\($0)" }
    }
}
