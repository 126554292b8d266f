import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import Logging
import NIOCore
import Postgres
import ReadModels
import TestRandom
import TestSupport
import Testing
import Vault

@testable import Service
@testable import Web

/// How notifications are filled and numbered.
@Suite(.routes)
struct InboxTests {
    /// Fills as another process does, over connections of its own.
    private func withOtherProcess<Value: Sendable>(
        _ served: ServedRoutes, _ body: @Sendable (InboxFilling) async throws -> Value
    ) async throws -> Value {
        let logger = Logger(label: "other") { _ in SwiftLogNoOpLogHandler() }
        let limits = PostgresPoolConfiguration.requests(ServedRoutes.wideLimits)
        return try await PostgresPool.withPool(served.database.service, limits, logger: logger) { pool in
            let calendar = served.cases.targets.rotation.calendar
            return try await body(InboxFilling(database: pool) { try calendar.runningWeeks() })
        }
    }

    /// Fills in two processes at once, several times in each.
    private func fillAtOnce(_ served: ServedRoutes, _ other: InboxFilling, _ account: AccountID) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for filling in [served.cases.notifications.service.filling, other] {
                for _ in 0..<3 { group.addTask { _ = try await filling.fill(account) } }
            }
            try await group.waitForAll()
        }
    }

    @Test func `an account that was there before keeps the numbers of reviews, and hears of the running week only`()
        async throws
    {
        let served = try ServedRoutes.required
        let scene = try await NotifiedScene(served)
        let target = try #require(try await scene.targets().first)
        let finding = try await scene.find(target.taxon)
        try await scene.verify()
        try await scene.approve(finding)
        let plain = try #require(try await scene.birder.submit().text("id"))
        try await scene.decide(plain, #"{"decision":"reject","reasons":["wrong-date"]}"#)
        try await served.followToHead()
        // Two weeks later, nothing of this week is new to who never looked.
        let later = Instant.now.adding(seconds: 15 * 86_400)
        let old = try await ServedRoutes.$now.withValue(later) {
            try await served.cases.notifications.service.page(of: scene.account, .init(limit: 100))
        }
        let items = old.slice.items
        #expect(items.map(\.kind) == ["approved", "rejected"] && items.map(\.number) == [1, 2])
        #expect(old.unread == 2)
        // What changes from then on is told.
        let withdrawn = try await scene.birder.send(.delete, "/v1/me/findings/\(finding)", headers: [.ifMatch: "*"])
        #expect(withdrawn.status == .noContent)
        #expect(try await scene.kinds() == ["1 approved", "2 rejected", "3 target-lost"])
    }

    @Test func `a target that is replaced is told once, and so are the targets of another region`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await NotifiedScene(served)
            #expect(try await scene.kinds() == ["1 targets-chosen"])
            let week = try #require(try await scene.notifications().first?["week"]?.string)
            let target = try await replaceTarget(served, week)
            let items = try await scene.notifications()
            #expect(items.map { $0["kind"]?.string } == ["targets-chosen", "target-replaced"])
            #expect(items.last?["targetId"]?.string == target && items.last?["week"]?.string == week)
            #expect(items.allSatisfy { $0["sightingId"] == .null && $0["reasons"]?.items.isEmpty == true })
            _ = try await served.cases.targets.rotation.run([try RegionCode("hawaii")])
            try await served.followToHead()
            #expect(try await scene.kinds().count == 2)
            for region in ["hawaii", NotifiedScene.region, "hawaii"] {
                try await move(scene, to: region)
                #expect(try await scene.kinds().count == 3, "\(region)")
            }
            let moved = try #require(try await scene.notifications().last)
            #expect(moved["kind"]?.string == "targets-chosen" && moved["region"]?.string == "hawaii")
        }
    }

    /// Replaces the first target of the region by a taxon that is none.
    private func replaceTarget(_ served: ServedRoutes, _ week: String) async throws -> String {
        let admin = try await Caller.register(served, role: .admin)
        let path = "/v1/targets/\(NotifiedScene.region)/\(week)"
        let all = try await admin.send(.get, path)
        let target = try #require(try all.text("targets.0.id"))
        let taxa = Set(try all["targets"]?.items.compactMap { $0["taxonId"]?.string } ?? [])
        var free: String?
        for name in ["Pacific%20Wren", "Song%20Sparrow", "Great%20Tit"] {
            let taxon = try await admin.send(.get, "/v1/taxa?q=\(name)").text("items.0.id")
            if let taxon, !taxa.contains(taxon) { free = taxon }
        }
        let substitute = try #require(free, "all taxa are targets")
        let replaced = try await admin.send(
            .post, path + "/replace", headers: [.ifMatch: "*"],
            json: #"{"targetId":"\#(target)","taxonId":"\#(substitute)","reason":"absent"}"#)
        #expect(replaced.status == .ok, "\(String(buffer: replaced.body))")
        return target
    }

    /// Changes the region of the birder in the read model.
    private func move(_ scene: NotifiedScene, to region: String) async throws {
        let account = try scene.account.uuid
        try await scene.served.database.withConnection(scene.served.database.owner) {
            _ = try await $0.query(
                """
                update \(identifier: ReadModel.accounts.schema).accounts set region = \(region) where id = \(account)
                """)
        }
    }

    @Test func `forgetting leaves nothing, and numbers begin anew`() async throws {
        let served = try ServedRoutes.required
        let scene = try await NotifiedScene(served)
        let target = try #require(try await scene.targets().first)
        _ = try await scene.find(target.taxon)
        #expect(try await scene.kinds() == ["1 targets-chosen", "2 target-sent"])
        let account = try scene.account
        try await Inboxes(database: served.cases.ground.pool).forget(account)
        try await served.database.withConnection(served.database.owner) { owner in
            let left: Int = try await owner.query(
                """
                select (select count(*) from vault.inbox where account = \(account.uuid))
                     + (select count(*) from vault.inboxes where account = \(account.uuid))
                     + (select count(*) from vault.inbox_captures where account = \(account.uuid)) as left
                """
            ).onlyRow().decode("left")
            #expect(left == 0)
        }
        #expect(try await scene.kinds() == ["1 targets-chosen", "2 target-sent"])
    }

    @Test(arguments: RandomSource.seeds(6))
    func `whoever fills, numbers have no gap, each review comes once, and captures are as they are`(seed: UInt64)
        async throws
    {
        let served = try ServedRoutes.required
        let scene = try await NotifiedScene(served)
        let account = try scene.account
        let targets = try await scene.targets()
        try #require(!targets.isEmpty)
        try await withOtherProcess(served) { other in
            var random = RandomSource(seed: seed)
            var findings: [String] = []
            for _ in 0..<25 {
                try await act(scene, targets.map(\.taxon), &findings, &random)
                if random.isTrue(oneIn: 2) { try await fillAtOnce(served, other, account) }
            }
            try await served.followToHead()
            try await fillAtOnce(served, other, account)
        }
        try await check(scene, seed)
    }

    /// Something that the birder or the moderator may do; what is not possible changes nothing.
    private func act(
        _ scene: NotifiedScene, _ taxa: [String], _ findings: inout [String], _ random: inout RandomSource
    ) async throws {
        let path = "/v1/moderation/sightings/"
        guard let finding = findings.randomElement(using: &random), !random.isTrue(oneIn: 3) else {
            findings.append(try await scene.find(taxa.randomElement(using: &random) ?? ""))
            return
        }
        switch random.int(in: 0...5) {
        case 0, 1:
            _ = try await scene.moderator.send(
                .post, path + finding + "/decisions", headers: [.ifMatch: "*"], json: #"{"decision":"approve"}"#)
        case 2:
            _ = try await scene.moderator.send(
                .post, path + finding + "/decisions", headers: [.ifMatch: "*"],
                json: #"{"decision":"reject","reasons":["wrong-date"]}"#)
        case 3:
            _ = try await scene.moderator.send(
                .put, path + finding + "/captive", headers: [.ifMatch: "*"], json: #"{"captive":true}"#)
        case 4:
            let account = try scene.account
            let verified = VerifiedAccounts(scene.served.cases.ground.store)
            if try await !verified.contains(account) { try await scene.verify() }
        default:
            _ = try await scene.birder.send(.delete, "/v1/me/findings/\(finding)", headers: [.ifMatch: "*"])
        }
    }

    private func check(_ scene: NotifiedScene, _ seed: UInt64) async throws {
        let account = try scene.account
        let list = try await scene.served.cases.notifications.service.list(of: account, after: 0, limit: 1_000)
        #expect(list.map(\.number) == Array(1...list.count), "seed \(seed)")
        let reviews = list.compactMap { item -> Int64? in
            if case .review(let review, _) = item.subject { review.position } else { nil }
        }
        let pool = scene.served.cases.ground.pool
        let known: [Int64] = try await pool.query(
            """
            select position from \(fragment: ReviewNotification.table) where account = \(account.uuid) order by position
            """
        ).rows.map { try $0.decode("position") }
        #expect(reviews == known, "seed \(seed)")
        var told: [TargetID: [String]] = [:]
        for case .target(let news) in list.map(\.subject) {
            guard let target = news.target, news.kind != .replaced else { continue }
            told[target] = news.kind == .lost ? nil : [news.kind.rawValue, news.finding?.description ?? ""]
        }
        let captures = try await CaptureQueries(pool).captures(of: account)
        let real = captures.map {
            ($0.target, [$0.isApproved ? "target-captured" : "target-sent", $0.finding.description])
        }
        #expect(told == Dictionary(uniqueKeysWithValues: real), "seed \(seed)")
    }
}
