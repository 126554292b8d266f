import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import Logging
import NIOCore
import Postgres
import Testing
import Vault

@testable import Service
@testable import WebAPI

/// Leaving, over a database and files of its own, which are looked through afterwards.
struct LeavingTests {
    @Test(arguments: LeavingChoice.allCases)
    func `nothing that the account typed or sent is left anywhere`(choice: LeavingChoice) async throws {
        let log = LogCapture()
        try await ServedRoutes.run(loggingTo: log) { served in
            let scene = try await LeavingScene(served)
            let (words, account) = (scene.words, try #require(scene.leaver.account).description)
            let before = try await served.found(words, inSchemas: "true")
            for word in words { #expect(before.contains { $0.hasSuffix(": " + word) }, "\(word) was nowhere") }
            #expect(try !served.foundInFiles([account]).isEmpty)
            let photos = try served.photos()
            try #require(try await scene.leaver.leave(choice).status == .accepted)
            let leaving = try await served.found(words, inSchemas: "n.nspname = 'vault'")
            #expect(!leaving.contains { $0.contains(scene.leaver.email) || $0.contains("Ottoline") }, "at once")
            try await scene.finish()
            #expect(try await served.found(words, inSchemas: "true") == [])
            #expect(try await served.found(scene.ids, inSchemas: "n.nspname <> 'log'") == [])
            let traces = try await served.found([account], inSchemas: "n.nspname = 'vault' and c.relname <> 'erasures'")
            #expect(traces == ["vault.exact_reads: \(account)"], "the record of what a moderator read")
            let models = try await served.found([account], inSchemas: "n.nspname not in ('log', 'vault')")
            let known = Self.models.map { "\($0): \(account)" }
            #expect(Set(models.map { $0.replacing(#/_v\d+/#, with: "") }) == Set(known))
            #expect(try served.foundInFiles(words + [account]) == [])
            // The photo of which another account has the same bytes.
            let kept = try served.photos()
            #expect(!kept.isEmpty && kept.isStrictSubset(of: photos))
            #expect(try !served.hasOtherFiles())
            let dump = try await served.dump()
            #expect(dump.contains("stays") && words.allSatisfy { !dump.contains($0.lowercased()) })
            #expect(words.allSatisfy { !log.text.lowercased().contains($0.lowercased()) })
            #expect(log.text.contains("an account has been erased"))
        }
    }

    /// The tables of read models that keep the account's id. No public route reads them, and the id says no more there
    /// than in the log, where it is the actor of the account's events.
    private static let models: Set = [
        "accounts.accounts", "exports.erased", "moderation.decisions", "moderation.items", "moderation.notifications",
        "photos.photos", "sightings_exact.erased", "sightings_public.observers",
    ]

    /// The tables that have no row of the account before it is erased, so that the scene needs none.
    private static let later = [
        "erasures": "The erasure itself writes it. It stays, so that the log rejects later commands.",
        "erased_photos": "The erasure writes it, and deletes it with the bytes of the photos.",
    ]

    /// The test above would overlook a table in which the scene has no row.
    @Test func `the scene has a row of the account in every table of the vault that can have one`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await LeavingScene(served)
            let tables = try await served.tablesOfAccounts()
            try #require(tables.count > 14)
            #expect(Set(Self.later.keys).isSubset(of: tables))
            let account = try #require(scene.leaver.account).description
            let found = try await served.found([account], inSchemas: "n.nspname = 'vault'")
            let missing = tables.subtracting(Self.later.keys).filter { !found.contains("vault.\($0): \(account)") }
            #expect(missing == [], "give the scene a row in each, or name it in the list, with the reason")
        }
    }

    @Test func `kept sightings stay on the map, and no surface joins them`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await LeavingScene(served)
            let map = "/v1/taxa/\(scene.taxon)/map?bbox=-123,47,-122,48"
            let (before, own) = (try await scene.other.send(.get, map), "/v1/sightings/\(scene.sightings[0])")
            #expect(try await scene.other.send(.get, own).text("observer.id") == scene.observer)
            #expect(try await scene.leaver.leave(.keep).status == .accepted)
            try await scene.finish()
            #expect(try await scene.other.send(.get, map).json["total"] == (try before.json["total"]))
            let shown = try await scene.other.send(.get, own)
            #expect(try shown.text("status") == "approved" && shown["observer"] == .null && shown["notes"] == .null)
            #expect(try shown["photos"]?.items.isEmpty == true)
            #expect(try await scene.other.send(.get, "/v1/photos/\(scene.photo)").status.code >= 404)
            let gallery = try await scene.other.send(.get, "/v1/observers/\(scene.observer)/gallery")
            #expect(try gallery["items"]?.items.isEmpty == true)
            let account = try #require(scene.leaver.account).description
            for path in ["", "/history"] {
                for id in scene.sightings {
                    let answer = try await scene.admin.send(.get, "/v1/moderation/sightings/\(id)\(path)")
                    let text = String(buffer: answer.body)
                    #expect(answer.status == .ok && text.contains("47.6577"))
                    for id in scene.ids + [account] { #expect(!text.contains(id), "\(path) \(text)") }
                }
            }
            let first = try await scene.admin.send(.get, "/v1/moderation/sightings/\(scene.sightings[0])/history")
            #expect(try first.text("items.0.by") == "owner")
            // The evidence for another record counts the kept one.
            let evidence = try await scene.admin.send(.get, "/v1/moderation/sightings/\(scene.otherSighting)")
            #expect(try evidence["evidence.acceptedRecords"]?.integer ?? 0 >= 1, "\(String(buffer: evidence.body))")
            let decisions = try await scene.other.send(.get, "/v1/me/findings/\(scene.otherSighting)/history")
            #expect(try decisions["items"]?.items.count ?? 0 > 2)
        }
    }

    @Test func `withdrawn ones are gone, and an earlier day does not show them either`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await LeavingScene(served)
            #expect(try await scene.leaver.leave(.withdraw).status == .accepted)
            try await scene.finish()
            for id in scene.sightings {
                #expect(try await scene.other.send(.get, "/v1/sightings/\(id)").status == .gone)
                let later = try await scene.other.read("/v1/sightings/\(id)", daysAhead: 2)
                #expect(later.status == .gone)
            }
            #expect(try await scene.other.send(.get, "/v1/sightings/\(scene.otherSighting)").status == .ok)
        }
    }

    @Test func `tokens, keys and the password end at once, and the address is free`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await LeavingScene(served)
            let (leaver, session) = (scene.leaver, try await scene.leaver.another())
            let script = Caller(served: served, email: "", token: scene.apiKey, account: leaver.account)
            #expect(try await leaver.leave(.keep, password: "another one").problem == "wrong-password")
            #expect(try await script.leave(.keep).problem == "insufficient-scope")
            let wrong = try await leaver.send(.post, "/v1/me/erasure", json: #"{"password":"x","sightings":"sell"}"#)
            #expect(try wrong.faults == ["/sightings"])
            #expect(try await session.isSignedIn)
            let key = UUID()
            #expect(try await leaver.leave(.keep, key: key).status == .accepted)
            for caller in [leaver, session, script] {
                #expect(try await caller.send(.get, "/v1/me/findings").status == .unauthorized)
            }
            #expect(try await leaver.leave(.keep, key: key).status == .unauthorized)
            #expect(try await leaver.logIn().problem == "wrong-credentials")
            let again = try await Caller.anonymous(served).send(
                .post, "/v1/accounts", json: Caller.signUp(leaver.email))
            #expect(again.status == .created)
            let id = try #require(leaver.account)
            #expect(try await scene.admin.send(.get, "/v1/accounts/\(id)").status == .gone)
            try await scene.finish()
            #expect(try await leaver.logIn().status == .created, "the new account's owner")
        }
    }

    @Test func `a retry of the sign-up queues no mail after the erasure`() async throws {
        try await ServedRoutes.run { served in
            let (email, key) = ("\(UUID())@example.org", UUID())
            let anonymous = Caller.anonymous(served)
            _ = try await anonymous.send(.post, "/v1/accounts", key: key, json: Caller.signUp(email))
            let session = try await anonymous.send(.post, "/v1/sessions", json: Caller.credentials(email))
            let caller = Caller(served: served, email: email, token: try session.text("accessToken"), account: nil)
            #expect(try await caller.leave(.keep).status == .accepted)
            let retry = try await anonymous.send(.post, "/v1/accounts", key: key, json: Caller.signUp(email))
            #expect(retry.status == .gone)
            #expect(try await served.found([email], inSchemas: "true") == [])
        }
    }

    @Test func `the last admin stays, and the operator may erase even that one`() async throws {
        try await ServedRoutes.run { served in
            let (admin, other) = (try await Caller.register(served, role: .admin), try await Caller.register(served))
            try await served.followToHead()
            #expect(try await admin.leave(.keep).problem == "last-admin")
            let own = "/v1/accounts/\(try #require(admin.account))/roles/admin"
            #expect(try await admin.send(.delete, own).problem == "last-admin")
            _ = try await served.cases.accounts.service.grant(
                .admin, to: try #require(other.account), by: nil, key: UUID())
            try await served.followToHead()
            #expect(try await admin.leave(.keep).status == .accepted)
            try await served.followToHead()
            #expect(try await other.leave(.keep).problem == "last-admin")
            try await served.cases.leaving.service.erase(try #require(other.account), sightings: .keep)
            #expect(try await other.send(.get, "/v1/me").status == .unauthorized)
        }
    }

    @Test func `two erasures at once are one`() async throws {
        try await ServedRoutes.run { served in
            let caller = try await Caller.register(served)
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await caller.leave(.keep).status.code } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(answers).isSubset(of: [202, 401]) && answers.contains(202), "\(answers)")
            let events = try await served.events(ofType: "AccountErased")
            #expect(events == 1)
        }
    }

    /// The process that had the erasure was killed, before a step or after it.
    @Test func `another process takes over, and repeating a step changes nothing`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await LeavingScene(served)
            #expect(try await scene.leaver.leave(.withdraw).status == .accepted)
            let erasures = Erasures(database: served.cases.ground.pool)
            let claimed = try #require(try await erasures.claimNext(for: .seconds(3_600), settling: .zero))
            _ = try await erasures.forgetWords(of: claimed.account, after: claimed.scannedTo, upTo: claimed.position)
            try await scene.finish()
            #expect(try await erasures.unfinished() == [claimed.account], "the claim lasts")
            try await erasures.failed(claimed, retryIn: .zero)
            try await scene.finish()
            #expect(try await erasures.unfinished() == [])
            #expect(try await served.found(scene.words, inSchemas: "true") == [])
            let (deleted, withdrawn) = (
                try await served.events(ofType: "PhotoDeleted"), try await served.events(ofType: "SightingWithdrawn")
            )
            #expect(deleted == 2 && withdrawn == 3)
            try await served.beginAgain()
            try await scene.finish()
            #expect(try await served.events(ofType: "PhotoDeleted") == deleted)
            #expect(try await served.events(ofType: "SightingWithdrawn") == withdrawn)
        }
    }
}

extension ServedRoutes {
    /// The files of the photo store.
    fileprivate func photos() throws -> Set<String> {
        let names = FileManager.default.enumerator(atPath: try folder + "/photos")?.allObjects as? [String] ?? []
        return Set(names.filter { $0.count == 70 })
    }

    /// The tables of the vault with a column that names an account.
    fileprivate func tablesOfAccounts() async throws -> Set<String> {
        let result = try await cases.ground.pool.query(
            """
            select distinct c.relname::text as name
              from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
             where n.nspname = 'vault' and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
               and a.attname in ('account', 'moderator') and a.atttypid = 'uuid'::regtype
            """)
        return try Set(result.rows.map { try $0.decode("name", as: String.self) })
    }

    /// Whether there are files in the caches, the spool or the folder of mails, apart from mails to others.
    fileprivate func hasOtherFiles() throws -> Bool {
        let names = FileManager.default.enumerator(atPath: try folder)?.allObjects as? [String] ?? []
        return names.contains { name in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: (try? folder + "/" + name) ?? "", isDirectory: &isFolder)
            return !isFolder.boolValue && (name.hasPrefix("webp/") || name.hasPrefix("uploads/"))
        }
    }

    fileprivate func events(ofType type: String) async throws -> Int {
        try await cases.ground.pool.query("select count(*)::integer as number from log.events where type = \(type)")
            .onlyRow().decode("number")
    }

    fileprivate func beginAgain() async throws {
        _ = try await cases.ground.pool.query("update vault.erasures set finished_at = null")
        _ = try await cases.ground.pool.query(
            "insert into vault.jobs (kind, subject) select 'erasure', account from vault.erasures")
    }
}
