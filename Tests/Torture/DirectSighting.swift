import Domain
import EventLog
import FoundationEssentials
import TestRandom

/// Commands on sightings as the service would append them.
enum DirectSighting {
    /// A new sighting, perhaps corrected in the same command.
    /// - Parameter events: how many events the command has.
    static func begin(by account: UUID, events count: Int, _ random: inout RandomSource) throws -> AppendCommand {
        let submitted = try SightingDecider.decide(.submit(try submission(by: account, &random)), SightingState())
        var state = SightingState(replaying: submitted.events)
        var events = submitted.events
        for _ in 1..<max(1, count) {
            let correction = try correction(by: account, of: state, &random)
            state = SightingState(replaying: events + correction.events)
            events += correction.events
        }
        let id = random.uuid()
        return command(
            events, submitted.content, stream: CommandID.stream(kind: StreamKind.sighting.rawValue, of: id),
            expected: 0,
            id: id, account, &random)
    }

    /// Corrections of an existing sighting, whatever its state: each gives it a new count.
    static func correct(
        _ entry: Board.Entry, events count: Int, _ random: inout RandomSource
    ) throws -> AppendCommand {
        let submitted = try SightingDecider.decide(.submit(try submission(by: entry.account, &random)), SightingState())
        var known = submitted.events
        var events: [SightingEvent] = []
        for _ in 0..<max(1, count) {
            let correction = try correction(by: entry.account, of: SightingState(replaying: known), &random)
            known += correction.events
            events += correction.events
        }
        return command(
            events, [], stream: entry.stream, expected: entry.version, id: random.uuid(), entry.account, &random)
    }

    private static func submission(by account: UUID, _ random: inout RandomSource) throws -> SubmitSighting {
        let time = try ObservationTime("20\(random.int(in: 10...24))-05-1\(random.int(in: 0...9))T08:00:00Z")
        let coordinate = try Coordinate(
            latitude: random.double(in: 31...48), longitude: random.double(in: -122 ... -75))
        var details = SightingDetails(
            observed: try ObservedInterval(time, in: .utc, rules: UniversalTime()), coordinate: coordinate,
            place: Place(basis: .none, polygons: try PolygonSetCode("torture")))
        details.confidence = try Confidence(random.int(in: 1...10))
        (details.licence, details.geoprivacy, details.surveyProtocol) = (.by, .open, .incidental)
        return SubmitSighting(
            observer: AccountID(account), identification: nil, details: details,
            content: SightingContent(notes: try Note("straight to the log \(random.int(in: 0...99))")),
            receivedAt: try Instant("2026-01-01T00:00:00Z"))
    }

    /// Consecutive counts always differ; the submission has none.
    private static func correction(
        by account: UUID, of state: SightingState, _ random: inout RandomSource
    ) throws -> Decision<SightingEvent> {
        var correction = CorrectSighting(
            observer: AccountID(account), kept: SightingContent(), receivedAt: try Instant("2026-01-01T00:00:00Z"))
        let old = state.record?.details.count?.value ?? 0
        correction.changes.count = .set(try IndividualCount(old % 900 + random.int(in: 1...9)))
        return try SightingDecider.decide(.correct(correction), state)
    }

    private static func command(
        _ events: [SightingEvent], _ content: [ContentWrite], stream: UUID, expected: Int, id: UUID, _ account: UUID,
        _ random: inout RandomSource
    ) -> AppendCommand {
        var appended = events.map {
            AppendCommand.Event(type: $0.type, payload: String(decoding: $0.payload, as: UTF8.self))
        }
        for write in content {
            appended[write.event].content.append(
                AppendCommand.Content(field: write.field.rawValue, value: write.value))
        }
        return AppendCommand(
            stream: stream, kind: StreamKind.sighting.rawValue, expectedVersion: expected, id: id,
            fingerprint: random.bytes(16), actor: account, events: appended)
    }
}

/// Clocks that all show UTC.
private struct UniversalTime: ZoneRules {
    func offsetSeconds(of zone: ZoneName, at instant: Instant) -> Int { 0 }

    func start(of date: CivilDate, in zone: ZoneName) -> Instant { Instant(startOf: date) }
}
