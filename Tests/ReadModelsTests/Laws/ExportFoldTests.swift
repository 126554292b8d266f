import EventLog
import FoundationEssentials
import ReadModels
import TestRandom
import TestSupport
import Testing

@testable import Domain

struct ExportFoldTests {
    /// Requests, departures, failures and revisions of a few exports, some payloads redacted, some accounts erased.
    @Test(arguments: RandomSource.seeds(3))
    func `the model follows the law, and agrees with the domain`(seed: UInt64) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.exports])
            var random = RandomSource(seed: seed)
            var writer = LogWriter(fixture.owner)
            var exports = RandomExports()
            try await writer.append(exports.accounts.map { RandomExports.account($0) })
            for _ in 0..<80 {
                try await writer.append([exports.next(&random)])
                if random.isTrue(oneIn: 12) {
                    let target = Int64(random.int(in: 1...Int(writer.head)))
                    if let stream = try await fixture.redact(target) { writer.redacted(stream) }
                }
                if random.isTrue(oneIn: 5) { try await fixture.follow([.exports]) }
            }
            try await fixture.follow([.exports])
            try await assertRebuildsEqual(.exports, fixture.pool)
            try await compare(fixture, exports)
        }
    }

    private func compare(_ fixture: ModelFixture, _ exports: RandomExports) async throws {
        let events = Dictionary(grouping: try await fixture.events(), by: \.stream)
        let queries = ExportQueries(fixture.pool)
        var asked: [AccountID: Set<ExportID>] = [:]
        for stream in exports.states.keys {
            let decoded = try (events[stream] ?? []).map {
                try ExportEvent(type: $0.type, payload: Array($0.payload.utf8))
            }
            let state = ExportState(replaying: decoded)
            let row = try await queries.export(ExportID(stream))
            #expect((row == nil) == (state.query == nil))
            guard let row else { continue }
            #expect(row.query == state.query && row.version == decoded.count && row.revisions == state.revisions)
            #expect(row.restricted == state.restricted.intersection(state.revisions.map(\.revision)))
            switch state.status {
            case .waiting: #expect(row.status == .waiting)
            case .made: #expect(row.status == .made)
            case .failed(let reason): #expect(row.status == .failed && row.reason == reason)
            case .cancelled: #expect(row.status == .cancelled)
            case .none, .redacted: Issue.record("\(state.status)")
            }
            let isWhole = !decoded.contains { if case .redacted = $0 { true } else { false } }
            if isWhole { for account in state.accounts { asked[account, default: []].insert(row.id) } }
        }
        for (account, ids) in asked {
            let found = try await queries.exports(of: account, ExportQueries.Page(limit: 100)).items.map(\.id)
            if exports.erased.contains(account) {
                #expect(found.isEmpty)
            } else {
                #expect(ids.isSubset(of: found))
            }
        }
    }

    @Test func `an account's exports come in pages, the newest request first`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.exports])
            var writer = LogWriter(fixture.owner)
            let account = AccountID(UUID())
            let ids = (0..<5).map { _ in ExportID(UUID()) }
            for id in ids { try await writer.append([RandomExports.requested(id, by: account)]) }
            try await writer.append([RandomExports.requested(ExportID(UUID()), by: AccountID(UUID()))])
            try await fixture.follow([.exports])
            let queries = ExportQueries(fixture.pool)
            let all = try await queries.exports(of: account, ExportQueries.Page(limit: 10))
            #expect(Set(all.items.map(\.id)) == Set(ids) && all.next == nil)
            var (found, page): ([ExportID], ExportQueries.Page) = ([], ExportQueries.Page(limit: 2))
            repeat {
                let slice = try await queries.exports(of: account, page)
                found += slice.items.map(\.id)
                page.after = slice.next
            } while page.after != nil
            #expect(found == all.items.map(\.id))
        }
    }
}

/// Generates events of some exports, as the decider would.
private struct RandomExports {
    let accounts = (0..<4).map { _ in AccountID(UUID()) }
    private(set) var states: [UUID: ExportState] = [:]
    private(set) var erased: Set<AccountID> = []

    static func account(_ id: AccountID) -> GeneratedEvent {
        GeneratedEvent(
            id.uuid, "account", "AccountRegistered", ["observer": .id(UUID()), "roles": .array(["birder"])])
    }

    static func requested(_ id: ExportID, by account: AccountID) -> GeneratedEvent {
        event(id.uuid, .requested(ExportRequested(account: account, query: query())))
    }

    private static func query() -> ExportQuery {
        ExportQuery(
            format: .ranges, filter: RecordFilter(kind: .bird, maxUncertainty: try? UncertaintyMetres(50.5)), day: nil,
            pin: ExportPin(known: 3, guarded: 1), outputVersion: 1,
            ranges: RangeTerms(period: .weekOfYear, without: [SightingID(UUID())]))
    }

    private static func event(_ stream: UUID, _ event: ExportEvent) -> GeneratedEvent {
        GeneratedEvent(stream, "export", event.type, payload: String(decoding: event.payload, as: UTF8.self))
    }

    mutating func next(_ random: inout RandomSource) -> GeneratedEvent {
        if erased.count < 2, random.isTrue(oneIn: 20),
            let account = accounts.first(where: { !erased.contains($0) })
        {
            erased.insert(account)
            return GeneratedEvent(account.uuid, "account", "AccountErased", ["sightings": "keep"])
        }
        while true {
            let known = states.keys.sorted { $0.uuidString < $1.uuidString }
            let stream = known.count < 3 ? UUID() : known[random.int(in: 0...known.count - 1)]
            let state = states[stream] ?? ExportState()
            guard let command = command(state, &random),
                let event = try? ExportDecider.decide(command, state).events.first
            else { continue }
            states[stream, default: ExportState()].evolve(event)
            return Self.event(stream, event)
        }
    }

    private func command(_ state: ExportState, _ random: inout RandomSource) -> ExportCommand? {
        let account = accounts[random.int(in: 0...accounts.count - 1)]
        switch random.int(in: 0...5) {
        case 0, 1, 2: return .request(RequestExport(account: account, query: Self.query()))
        case 3: return .leave(account)
        case 4: return random.isTrue(oneIn: 2) ? .fail(.tooLarge) : .restrict(state.lastRevision)
        default:
            return .make(
                ExportMade(
                    revision: state.lastRevision + 1,
                    moment: ExportMoment(known: 3, shown: 9, guarded: 1, settled: 7), rows: 5, bytes: 80,
                    sha256: Fingerprint(unchecked: String(repeating: "0c", count: 32)),
                    licences: [LicensedRows(licence: .by, rows: 5)],
                    polygons: random.isTrue(oneIn: 2) ? PolygonSetCode(unchecked: "ne-50m-v1") : nil,
                    software: random.isTrue(oneIn: 2) ? SoftwareName(unchecked: "Skein 0.1.0") : nil))
        }
    }
}
