import Testing

@testable import Domain

struct ExportDeciderTests {
    private static let (first, second): (AccountID, AccountID) = (Samples.id(1), Samples.id(2))

    private func query(_ day: String = "2026-05-01") throws -> ExportQuery {
        ExportQuery(format: .csv, filter: RecordFilter(), day: try CivilDate(day), outputVersion: 1)
    }

    private func request(by account: AccountID) throws -> ExportCommand {
        .request(RequestExport(account: account, query: try query()))
    }

    private func requested() throws -> ExportEvent {
        .requested(ExportRequested(account: Self.first, query: try query()))
    }

    private func made(_ revision: Int = 1) -> ExportMade {
        ExportMade(
            revision: revision, moment: ExportMoment(known: 5, shown: 6, guarded: 3, settled: 4), rows: 2, bytes: 100,
            sha256: Samples.fingerprint)
    }

    private func decide(_ command: ExportCommand, after events: [ExportEvent]) throws -> [ExportEvent] {
        try ExportDecider.decide(command, ExportState(replaying: events)).events
    }

    @Test func `the first request begins an export, and a repetition changes nothing`() throws {
        #expect(try decide(try request(by: Self.first), after: []) == [try requested()])
        #expect(try decide(try request(by: Self.first), after: [try requested()]) == [])
        #expect(try decide(try request(by: Self.first), after: [try requested(), .made(made())]) == [])
    }

    @Test func `another account joins`() throws {
        let joined = ExportEvent.joined(ExportJoined(account: Self.second))
        #expect(try decide(try request(by: Self.second), after: [try requested()]) == [joined])
        #expect(try decide(try request(by: Self.second), after: [try requested(), .made(made())]) == [joined])
    }

    @Test func `an export that failed or was cancelled can be asked for again`() throws {
        let reopened = ExportEvent.reopened(ExportReopened(account: Self.second))
        for end in [
            ExportEvent.failed(ExportFailed(reason: .tooLong)), .cancelled(ExportCancelled(account: Self.first)),
        ] {
            #expect(try decide(try request(by: Self.second), after: [try requested(), end]) == [reopened])
            #expect(throws: ExportRejection.ended) {
                try decide(.make(made()), after: [try requested(), end])
            }
            #expect(try decide(.make(made()), after: [try requested(), end, reopened]) == [.made(made())])
        }
    }

    @Test func `a revision is made once, and has the next number`() throws {
        #expect(try decide(.make(made()), after: [try requested()]) == [.made(made())])
        for revision in [1, 2] {
            #expect(throws: ExportRejection.ended) {
                try decide(.make(made(revision)), after: [try requested(), .made(made())])
            }
        }
        let failed = ExportEvent.failed(ExportFailed(reason: .differentBytes))
        let reopened = ExportEvent.reopened(ExportReopened(account: Self.first))
        #expect(
            try decide(.make(made(2)), after: [try requested(), .made(made()), failed, reopened]) == [.made(made(2))])
    }

    @Test func `a revision is restricted once, and then another one may be made`() throws {
        let restricted = ExportEvent.restricted(ExportRestricted(revision: 1))
        #expect(try decide(.restrict(1), after: [try requested(), .made(made())]) == [restricted])
        #expect(try decide(.restrict(1), after: [try requested(), .made(made()), restricted]).isEmpty)
        #expect(try decide(.restrict(2), after: [try requested(), .made(made())]).isEmpty)
        #expect(
            try decide(.make(made(2)), after: [try requested(), .made(made()), restricted]) == [.made(made(2))])
        let second: [ExportEvent] = [try requested(), .made(made()), restricted, .made(made(2))]
        #expect(!ExportState(replaying: second).isRestricted)
        #expect(throws: ExportRejection.ended) { try decide(.make(made(3)), after: second) }
        let lost = ExportEvent.redacted(EveryEvent.redacted(ExportRestricted.type))
        #expect(ExportState(replaying: [try requested(), .made(made()), lost]).restricted == [1])
    }

    @Test func `an export that was made fails only if its bytes cannot be made again`() throws {
        let failed = ExportEvent.failed(ExportFailed(reason: .noSpace))
        #expect(try decide(.fail(.noSpace), after: [try requested()]) == [failed])
        #expect(throws: ExportRejection.ended) { try decide(.fail(.noSpace), after: [try requested(), .made(made())]) }
        #expect(
            try decide(.fail(.differentBytes), after: [try requested(), .made(made())])
                == [.failed(ExportFailed(reason: .differentBytes))])
    }

    @Test func `the last account that leaves an unfinished export cancels it`() throws {
        let joined = ExportEvent.joined(ExportJoined(account: Self.second))
        #expect(
            try decide(.leave(Self.first), after: [try requested()])
                == [.cancelled(ExportCancelled(account: Self.first))])
        #expect(
            try decide(.leave(Self.first), after: [try requested(), joined])
                == [.left(ExportLeft(account: Self.first))])
        #expect(
            try decide(.leave(Self.second), after: [try requested(), joined, .left(ExportLeft(account: Self.first))])
                == [.cancelled(ExportCancelled(account: Self.second))])
        #expect(
            try decide(.leave(Self.second, erased: [Self.first]), after: [try requested(), joined])
                == [.cancelled(ExportCancelled(account: Self.second))])
    }

    @Test func `a finished export stays when its last account leaves`() throws {
        let left = ExportEvent.left(ExportLeft(account: Self.first))
        #expect(try decide(.leave(Self.first), after: [try requested(), .made(made())]) == [left])
        #expect(throws: ExportRejection.notFound) {
            try decide(.leave(Self.first), after: [try requested(), .made(made()), left])
        }
        #expect(throws: ExportRejection.notFound) { try decide(.leave(Self.second), after: [try requested()]) }
    }

    @Test func `what was redacted is not made`() throws {
        let tombstone = ExportEvent.redacted(EveryEvent.redacted(ExportRequested.type))
        #expect(ExportState(replaying: [tombstone]).status == .redacted)
        #expect(throws: ExportRejection.gone) { try decide(try request(by: Self.first), after: [tombstone]) }
        #expect(throws: ExportRejection.ended) { try decide(.make(made()), after: [tombstone]) }
        let lost = ExportEvent.redacted(EveryEvent.redacted(ExportMade.type))
        let state = ExportState(replaying: [try requested(), lost])
        #expect(state.status == .failed(nil) && state.lastRevision == 1 && state.revisions.isEmpty)
    }

    @Test func `a query has the statuses that an export may hold, and a text for each difference`() throws {
        #expect(try query().filter.statuses == [.approved, .acceptedBySource])
        var other = try query()
        other.filter.statuses = [.approved]
        var (format, version, site) = (try query(), try query(), try query())
        (format.format, version.outputVersion, site.site) = (.tsv, 2, Samples.fingerprint)
        let all = [try query(), try query("2026-05-02"), other, format, version, site]
        #expect(Set(all.map(\.canonical)).count == all.count)
        let explicit = ExportQuery(
            format: .csv, filter: RecordFilter(statuses: [.acceptedBySource, .approved]),
            day: try CivilDate("2026-05-01"),
            outputVersion: 1)
        #expect(explicit.canonical == (try query().canonical))
    }
}
