import Crypto
import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Postgres
import TestSupport
import Testing

@testable import Service
@testable import Web

extension Caller {
    func leave(
        _ sightings: LeavingChoice, password: String = Caller.password, key: UUID = UUID()
    ) async throws -> TestResponse {
        try await send(
            .post, "/v1/me/erasure", key: key,
            json: #"{"password":"\#(password)","sightings":"\#(sightings.rawValue)"}"#)
    }
}

/// A moderator and researcher who has left words in every place that has any, and who leaves.
struct LeavingScene {
    let served: ServedRoutes
    let leaver: Caller
    let other: Caller
    let admin: Caller
    /// The leaver's, the first two of one visit; the first one is approved, with two photos.
    let sightings: [String]
    let otherSighting: String
    let taxon: String
    let observer: String
    let apiKey: String
    /// The public id of a photo.
    let photo: String
    let mail: MailSettings

    static let visit = UUID().uuidString.lowercased()
    private static let second = "quill-second@example.org"

    /// What must not be found afterwards.
    var words: [String] {
        [
            leaver.email, Hexadecimal.text(of: leaver.email), Self.second, "Ottoline", "quillfeather", "quillformer",
            "quillnote", "quillbefore", "Quillbird", "quillalt", "quillflag", "quillverdict", "quillopinion",
            "quillkey", "quillphone",
        ]
    }

    /// Ids by which several kept sightings could be joined. The log has them, and nothing else.
    var ids: [String] { [observer, Self.visit] }

    init(_ served: ServedRoutes) async throws {
        self.served = served
        mail = MailSettings(
            transport: MailFolder(path: try served.folder + "/mail"),
            sender: try #require(MailSender("Skein <skein@example.org>")))
        (leaver, other) = (try await .register(served, role: .moderator), try await .register(served))
        admin = try await .register(served, role: .admin)
        observer = try #require(try await leaver.send(.get, "/v1/me").text("observerId"))
        taxon = try #require(try await leaver.send(.get, "/v1/taxa?q=pacific+wren").text("items.0.id"))
        try await Self.describe(leaver)
        let account = try #require(leaver.account)
        let granted = try await admin.send(.post, "/v1/accounts/\(account)/roles", json: #"{"role":"researcher"}"#)
        try #require(granted.status.kind == .successful, "\(String(buffer: granted.body))")
        let visit = #","visit":{"id":"\#(Self.visit)","startedAt":"2026-05-01T07:00:00-07:00"}"#
        let bodies = [
            Caller.sighting(more: #","notes":"a quillbefore"\#(visit)"#), Caller.sighting(more: visit),
            Caller.sighting("Quillbird"),
        ]
        var sent: [String] = []
        for body in bodies { sent.append(try #require(try await leaver.submit(body).text("id"))) }
        sightings = sent
        otherSighting = try #require(try await other.submit(Caller.sighting(more: #","notes":"stays""#)).text("id"))
        try await Self.moderate(leaver, otherSighting)
        apiKey = try #require(
            try await leaver.send(.post, "/v1/me/keys", json: #"{"name":"quillkey","scopes":["read"]}"#).text("key"))
        photo = try await Self.photograph(leaver, other, admin, sent[0], otherSighting)
        try await Self.use(leaver, taxon, sent)
        try await Self.notify(leaver, sent[0])
        try await served.cases.accounts.mailer(mail, logger: served.logger).sendDue()
        // One that is not sent yet.
        _ = try await leaver.send(.post, "/v1/me/email-verifications")
    }

    private static func describe(_ leaver: Caller) async throws {
        for name in ["quillformer", "quillfeather"] {
            let patch = #"{"name":"Ottoline Quill","displayName":"\#(name)"}"#
            let changed = try await leaver.send(.patch, "/v1/me", headers: [.ifMatch: "*"], json: patch)
            try #require(changed.status == .ok)
        }
        let change = #"{"email":"\#(second)","password":"\#(Caller.password)"}"#
        try #require(try await leaver.send(.put, "/v1/me/email", json: change).status == .accepted)
        _ = try await leaver.another("quillphone/1.0")
    }

    /// As a moderator and as anyone.
    private static func moderate(_ leaver: Caller, _ sighting: String) async throws {
        let ready = try await leaver.send(.get, "/v1/moderation/sightings/\(sighting)")
        try #require(ready.status == .ok)
        let decided = try await leaver.send(
            .post, "/v1/moderation/sightings/\(sighting)/decisions", headers: [.ifMatch: "*"],
            json: #"{"decision":"approve","note":"quillverdict"}"#)
        try #require(decided.status == .ok, "\(String(buffer: decided.body))")
        _ = try await leaver.send(.get, "/v1/sightings/\(sighting)", headers: try decided.position)
        let flagged = try await leaver.send(
            .post, "/v1/sightings/\(sighting)/flags", json: #"{"reason":"wrong-place","note":"quillflag"}"#)
        try #require(flagged.status == .noContent, "\(String(buffer: flagged.body))")
        _ = try await leaver.send(.put, "/v1/moderation/me", json: #"{"regions":["hawaii"],"taxa":[]}"#)
        _ = try await leaver.send(.put, "/v1/me/notifications/read", json: #"{"upTo":0}"#)
    }

    /// Two photos, of which another account has the first one, too.
    private static func photograph(
        _ leaver: Caller, _ other: Caller, _ admin: Caller, _ sighting: String, _ otherSighting: String
    ) async throws -> String {
        _ = try await SampleRequests.addPhoto(to: otherSighting, by: other)
        let photo = try #require(try await SampleRequests.addPhoto(to: sighting, by: leaver).text("id"))
        let tall = try await SampleRequests.addPhoto(to: sighting, by: leaver, TestPhotos.tall)
        try #require(tall.status == .created)
        _ = try await leaver.send(
            .patch, "/v1/me/photos/\(photo)", headers: [.ifMatch: "*"], json: #"{"altText":"a quillalt"}"#)
        for path in ["sightings/\(sighting)", "photos/\(photo)"] {
            let decided = try await admin.send(
                .post, "/v1/moderation/\(path)/decisions", headers: [.ifMatch: "*"], json: #"{"decision":"approve"}"#)
            try #require(decided.status == .ok, "\(String(buffer: decided.body))")
        }
        try await leaver.served.followToHead()
        let shown = try await leaver.send(.get, "/v1/sightings/\(sighting)")
        let id = try #require(try shown.text("photos.0.id"))
        // Leaves a WebP in the cache.
        let webP = try await leaver.send(.get, "/v1/photos/\(id)/thumb", headers: [.accept: "image/webp"])
        try #require(webP.status == .ok)
        return id
    }

    private static func use(_ leaver: Caller, _ taxon: String, _ sightings: [String]) async throws {
        _ = try await leaver.send(.put, "/v1/me/favourites/\(taxon)")
        let asked = try await leaver.send(.post, "/v1/exports", json: #"{"format":"csv"}"#)
        try #require(asked.status == .accepted)
        let kept = try await leaver.send(.post, "/v1/research/exports", json: #"{"format":"csv"}"#)
        try #require(kept.status == .created, "\(String(buffer: kept.body))")
        let patched = try await leaver.send(
            .patch, "/v1/me/findings/\(sightings[0])", headers: [.ifMatch: "*"], json: #"{"notes":"a quillnote"}"#)
        try #require(patched.status == .ok)
        let opinion = try await leaver.send(
            .post, "/v1/me/findings/\(sightings[2])/identifications",
            json: #"{"taxonId":"\#(taxon)","remarks":"quillopinion"}"#)
        try #require(opinion.status == .ok, "\(String(buffer: opinion.body))")
        _ = try await SampleRequests.addPhoto(
            to: sightings[1], by: leaver, try #require(TestPhotos.jpeg.getSlice(at: 0, length: 9)),
            more: [.uploadComplete: "?0"])
        _ = try await leaver.send(.post, "/v1/moderation/claims", json: #"{"limit":1}"#)
    }

    /// Notifications, as if one of them had been about a target: choosing targets takes a region with statistics.
    private static func notify(_ leaver: Caller, _ sighting: String) async throws {
        try await leaver.served.followToHead()
        let page = try await leaver.send(.get, "/v1/me/notifications")
        try #require(try page["items"]?.items.isEmpty == false, "\(String(buffer: page.body))")
        let (account, finding) = (try #require(leaver.account), try #require(UUID(uuidString: sighting)))
        try await leaver.served.cases.ground.pool.query(
            """
            insert into vault.inbox_captures (account, target, region, monday, finding, captured)
            values (\(account.uuid), \(UUID()), 'washington', '2026-04-27', \(finding), false)
            """)
    }

    /// Does what is left of erasures.
    func finish() async throws {
        try await served.cases.leaving.worker(mail, settling: .zero, logger: served.logger).work()
        try await served.followToHead()
    }
}

enum Hexadecimal {
    /// The SHA-256 with which an address is reserved.
    static func text(of address: String) -> String {
        SHA256.hash(data: Array(address.lowercased().utf8))
            .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

extension ServedRoutes {
    /// The folder with everything that the service has beside the database.
    var folder: String {
        get throws { URL(filePath: cases.photos.settings.webPs.folder).deletingLastPathComponent().path }
    }

    /// The words that occur in any row of any table of some schemas.
    func found(_ words: [String], inSchemas condition: SQL) async throws -> Set<String> {
        try await database.withConnection(database.owner) { owner in
            let tables = try await owner.query(
                """
                select n.nspname::text as schema, c.relname::text as name
                  from pg_class c join pg_namespace n on n.oid = c.relnamespace
                 where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
                   and \(fragment: condition)
                """)
            var found: Set<String> = []
            for table in tables.rows {
                let (schema, name): (String, String) = (try table.decode("schema"), try table.decode("name"))
                let rows = try await owner.query(
                    """
                    select distinct w.word from unnest(\(words)) w (word)
                      join \(identifier: schema).\(identifier: name) t on strpos(lower(t::text), lower(w.word)) > 0
                    """)
                for row in rows.rows { found.insert("\(schema).\(name): \(try row.decode("word", as: String.self))") }
            }
            return found
        }
    }

    /// The words that occur in the files, or in their names.
    func foundInFiles(_ words: [String]) throws -> Set<String> {
        var found: Set<String> = []
        for name in FileManager.default.enumerator(atPath: try folder)?.allObjects as? [String] ?? [] {
            let bytes = try? Data(contentsOf: URL(filePath: try folder + "/" + name))
            let text = name + " " + String(decoding: bytes ?? Data(), as: UTF8.self)
            for word in words where text.lowercased().contains(word.lowercased()) { found.insert("\(name): \(word)") }
        }
        return found
    }

    /// A dump as operators make one.
    func dump() async throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sql")
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["pg_dump", "--dbname", database.ownerURL, "--file", file.path]
        try process.run()
        await process.ended()
        try #require(process.terminationStatus == 0)
        return String(decoding: try Data(contentsOf: file), as: UTF8.self).lowercased()
    }
}
