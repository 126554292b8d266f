import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import PrivateServer

@Suite("Reads on standbys", .serialized, .hangs)
struct StandbyReadTests {
    private let dawn =
        #"{"name":"Pacific Wren","count":1,"confidence":8,"observedAt":"2026-04-01T07:30:00-07:00","#
        + #""latitude":47.6577,"longitude":-122.4056}"#

    @Test func `every kind of read is answered by the standby`() async throws {
        try await StandbyScene.run { scene in
            let birder = try await Birder.register(scene.service)
            let sent = try await birder.submit()
            let (id, taxon) = (try #require(sent.text("id")), try #require(sent.text("taxon.id")))
            let head = ["Log-Position": try #require(sent.header("Log-Position"))]
            try await until("the standby does not answer") {
                try await scene.reads {
                    try await #require(birder.send(.GET, "/v1/me/findings", headers: head).count("items") == 1)
                } == 1
            }
            try await until("the sighting is not shown") {
                try await birder.send(.GET, "/v1/sightings/\(id)").status == 200
            }
            for path in [
                "/v1/me/findings", "/v1/me/findings/\(id)/history", "/v1/me/map", "/v1/sightings/\(id)",
                "/v1/sightings/\(id)/history", "/v1/taxa/\(taxon)", "/v1/taxa/\(taxon)/map?zoom=8",
                "/v1/taxa/\(taxon)/map?asOf=2026-01-01",
            ] {
                // The primary answers now and then: a busy standby is late for a check.
                try await until("the primary answers \(path)") {
                    try await scene.reads {
                        let status = try await birder.send(.GET, path).status
                        #expect(status == 200, "\(path)")
                    } == 1
                }
            }
            // The standby itself says so; its statistics take a second.
            try await until("the standby has seen no read") {
                try await scene.pair.standby.query(
                    """
                    select sum(coalesce(idx_scan, 0) + seq_scan) > 0 from pg_stat_user_tables
                     where relname = 'records' and schemaname like 'sightings_public%'
                    """) == "t"
            }
            try await scene.untilCheck(of: scene.stranger, "warning of another system")
            try await scene.untilCheck(of: scene.pair.standby, "ready lag at most")
        }
    }

    @Test func `a standby that lags shows no less than a read asks for, and claims no more than it has`() async throws {
        try await StandbyScene.run { scene in
            // A lagging standby is read from for half a minute, which a slow machine may miss.
            try await until("no read came to the standby while it lagged") {
                let (birder, open) = try await replayed(scene)
                try await scene.delayReplay("1h")
                let hasLagged = try await readWhileLagging(scene, birder, open)
                try await scene.delayReplay("0")
                let path = "/v1/sightings/\(try #require(open.text("id")))"
                try await until("still shown") { try await scene.other.send(.GET, path).status == 410 }
                return hasLagged
            }
        }
    }

    /// A birder with two findings, which the standby has; the later one is public.
    private func replayed(_ scene: StandbyScene) async throws -> (birder: Birder, open: Answer) {
        let birder = try await Birder.register(scene.service)
        _ = try await birder.submit(dawn)
        let open = try await birder.submit()
        let head = ["Log-Position": try #require(open.header("Log-Position"))]
        #expect(try await birder.send(.GET, "/v1/me/findings", headers: head).count("items") == 2)
        let id = try #require(open.text("id"))
        #expect(try await scene.other.send(.GET, "/v1/sightings/\(id)", headers: head).status == 200)
        try await scene.pair.catchUp()
        try await scene.untilRead(of: scene.other)
        return (birder, open)
    }

    /// - Returns: whether the standby has answered the reads that ask for no position.
    private func readWhileLagging(_ scene: StandbyScene, _ birder: Birder, _ open: Answer) async throws -> Bool {
        let id = try #require(open.text("id"))
        // Its own write, in the process that took it, and elsewhere by its position.
        let late = try await birder.submit()
        let lateID = try #require(late.text("id"))
        #expect(try await birder.send(.GET, "/v1/me/findings").count("items") == 3)
        let elsewhere = birder.at(scene.other)
        var count: Int?
        let counted = try await scene.reads(of: scene.other) {
            count = try await elsewhere.send(.GET, "/v1/me/findings").count("items")
        }
        #expect(count == 2 || counted == 0)
        let head = ["Log-Position": try #require(late.header("Log-Position"))]
        let first = try await elsewhere.send(.GET, "/v1/me/findings?limit=1", headers: head)
        // The next page has what the first one's server had, whichever answers.
        let next = try #require(first.text("next"))
        let second = try await elsewhere.send(.GET, "/v1/me/findings?limit=1&after=\(next)")
        let pages = [first, second].compactMap { $0.text("items.0.id") }
        #expect(Set(pages) == [id, lateID])
        // A restriction holds at once where its position is asked for.
        let withdrawn = try await birder.send(
            .DELETE, "/v1/me/findings/\(id)?reason=privacy", headers: ["If-Match": try #require(open.header("ETag"))])
        let restriction = ["Log-Position": try #require(withdrawn.header("Log-Position"))]
        let gone = try await scene.other.send(.GET, "/v1/sightings/\(id)", headers: restriction)
        #expect(gone.status == 410)
        var stale = gone
        let outdated = try await scene.reads(of: scene.other) {
            stale = try await scene.other.send(.GET, "/v1/sightings/\(id)")
        }
        guard outdated == 1 else { return false }
        #expect(stale.status == 200)
        let restricted = try await scene.position("Log-Position", withdrawn)
        for header in ["Log-Position", "Restriction-Position"] {
            #expect(try await scene.position(header, stale) < restricted)
        }
        return counted == 1
    }

    @Test func `the primary answers while a standby is paused, frozen, stopped or promoted`() async throws {
        try await StandbyScene.run { scene in
            let standby = scene.pair.standby
            let birder = try await Birder.register(scene.service)
            let taxon = try #require(try await birder.submit().text("taxon.id"))
            let paths = ["/v1/me/findings", "/v1/taxa/\(taxon)/map?zoom=8", "/v1/taxa/\(taxon)"]
            func expectAnswers(_ comment: Comment) async throws {
                let start = ContinuousClock.now
                let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                    for path in paths + paths + paths {
                        group.addTask { try await birder.send(.GET, path).status }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(answers == Array(repeating: 200, count: answers.count), comment)
                // Less than the minute for which a statement may wait, and time for a busy machine.
                #expect(start.duration(to: .now) < .seconds(30), comment)
            }

            try await standby.query("select pg_wal_replay_pause()", database: "postgres")
            try await scene.untilFault("paused")
            #expect(try await scene.reads { try await expectAnswers("paused") } == 0)
            try await until("no status says paused") {
                try await status(scene).contains("\(StandbyScene.name(of: standby)): paused")
            }
            try await standby.query("select pg_wal_replay_resume()", database: "postgres")
            try await scene.untilRead(of: scene.service)

            do {
                let frozen = try #require(FrozenProcesses(ofCluster: standby.homeDirectory + "/data"))
                defer { frozen.thaw() }
                try await expectAnswers("frozen just now")
                try await scene.untilFault("unreachable")
                #expect(try await scene.reads { try await expectAnswers("frozen") } == 0)
            }
            try await scene.untilRead(of: scene.service)

            for _ in 0..<5 {
                try await standby.query(
                    """
                    select count(pg_terminate_backend(pid)) from pg_stat_activity
                     where usename = 'skein_service' and backend_type = 'client backend'
                    """, database: "postgres")
                try await expectAnswers("its sessions ended")
            }
            try await scene.untilRead(of: scene.service)

            try await standby.interrupt(mode: .immediate)
            try await expectAnswers("stopped")
            try await scene.untilFault("unreachable")
            try await standby.resume()
            try await scene.untilRead(of: scene.service)

            try await standby.query("select pg_promote()", database: "postgres")
            try await scene.untilFault("not in recovery")
            #expect(try await scene.reads { try await expectAnswers("promoted") } == 0)
        }
    }

    private func status(_ scene: StandbyScene) async throws -> String {
        let process = ServedSkein.skein(["status"])
        process.environment?.merge([
            "DATABASE_URL": scene.pair.primary.url(), "DATABASE_READ_URL": scene.readURL,
        ]) { $1 }
        return try await process.output()
    }
}
