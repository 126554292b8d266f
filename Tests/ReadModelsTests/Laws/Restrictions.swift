import Domain
import EventLog
import FoundationEssentials
import ReadModels

/// Selects the events of a log that act on answers about earlier positions.
struct Restrictions {
    private let events: [RecordedEvent]
    private let oracle: PublicOracle

    init(_ events: [RecordedEvent], _ oracle: PublicOracle) {
        self.events = events
        self.oracle = oracle
    }

    /// The events up to the moment's known position, then the restrictions up to its shown one, with their nonces.
    ///
    /// An erasure acts whatever R is, as a redaction does. All events of taxa are kept: a restriction covers the
    /// descendants of its taxon at that time. A sighting that became more sensitive, for whatever reason, is given just
    /// that.
    func replay(_ moment: PublicMoment) throws -> (events: [(GeneratedEvent, UUID)], count: Int) {
        var replayed: [(GeneratedEvent, UUID)] = []
        var streams: Set<UUID> = []
        for event in events where event.position <= moment.shown || event.type == AccountErased.type {
            if event.position <= moment.known || event.type.hasPrefix("Taxon") {
                streams.insert(event.stream)
                replayed.append((generated(event), event.nonce))
            } else if streams.contains(event.stream), try restricts(event) {
                // Only the redaction of a correction acts backwards, not the new id that the correction gave.
                replayed.append((generated(event), oracle.face(of: event.stream, known: moment.known)))
            }
            guard event.position > moment.known, event.position <= moment.shown else { continue }
            for stream in oracle.streams.keys where streams.contains(stream) {
                func category(upTo position: Int64) throws -> Int? {
                    try oracle.category(of: stream, known: moment.known, upTo: position)
                }
                guard let now = try category(upTo: event.position), try now != category(upTo: event.position - 1)
                else { continue }
                let raised = GeneratedEvent(
                    stream, "sighting", "SightingCorrected", ["sensitivity": .number(now)])
                replayed.append((raised, oracle.face(of: stream, known: moment.known)))
            }
        }
        return (replayed, replayed.count)
    }

    private func generated(_ event: RecordedEvent) -> GeneratedEvent {
        let kind =
            switch event.type.prefix(4) {
            case "Sigh": "sighting"
            case "Taxo": "taxon"
            case "Acco", "Role", "Disp": "account"
            case "Data", "Impo": "dataset"
            default: events.first { $0.stream == event.stream }.map { generated($0).kind } ?? ""
            }
        return GeneratedEvent(event.stream, kind, event.type, payload: event.payload)
    }

    private func restricts(_ event: RecordedEvent) throws -> Bool {
        guard event.type.hasPrefix("Sighting") else {
            return [PayloadRedacted.type, AccountErased.type].contains(event.type)
        }
        switch try SightingEvent(type: event.type, payload: Array(event.payload.utf8)) {
        case .geoprivacyNarrowed, .redacted: return true
        case .withdrawn(let payload): return payload.reason == .privacy
        default: return false
        }
    }
}
