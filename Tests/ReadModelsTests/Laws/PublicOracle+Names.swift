import Domain
import EventLog
import FoundationEssentials
import ReadModels

/// The public ids of sightings, from the definitions.
extension PublicOracle {
    /// The public id of a sighting at two positions, with its reasons; nil for category 1 and before it is known.
    func name(
        _ stream: UUID, known: Int64, shown: Int64
    ) throws -> (id: SightingID, category: Int?, geoprivacy: Geoprivacy)? {
        guard let first = streams[stream]?.first, first.position <= known else { return nil }
        let category = try category(of: stream, known: known, upTo: shown)
        guard category != 1 else { return nil }
        let geoprivacy = try geoprivacy(of: stream, known: known, shown: shown)
        guard category != nil || geoprivacy.value != .open else { return (SightingID(stream), nil, .open) }
        let isGuarded = category == 2 || geoprivacy.value == .private
        let nonce = isGuarded ? face(of: stream, known: known) : first.nonce
        var bytes = nonce.bytes + Array("public".utf8)
        bytes += [0, UInt8(category ?? 0), 0, 0, 0, UInt8(geoprivacy.value.rank)]
        bytes += [0, 0, 0, UInt8(geoprivacy.narrowings)]
        return (SightingID(HashedID.uuid(bytes)), category, geoprivacy.value)
    }

    /// Whether a sighting is shown with its month only.
    func isGuarded(_ stream: UUID, known: Int64, shown: Int64) throws -> Bool {
        let geoprivacy = try geoprivacy(of: stream, known: known, shown: shown).value
        return try geoprivacy == .private || category(of: stream, known: known, upTo: shown) == 2
    }

    /// The public view of a sighting at a moment with months; nil if nothing is public.
    func view(_ stream: UUID, at moment: PublicMoment) throws -> SeenSighting? {
        let now = try view(stream, known: moment.known, shown: moment.shown)
        guard try isGuarded(stream, known: moment.known, shown: moment.shown) else { return now }
        guard let then = try view(stream, known: moment.guarded, shown: moment.shown) else { return nil }
        // As it becomes a guarded one it disappears, until that month is over as well.
        let isSettled = try (moment.settled...moment.shown).allSatisfy {
            try name(stream, known: moment.guarded, shown: $0)?.id == then.id
        }
        return isSettled ? then : nil
    }

    /// The nonce of the newest event that changed the record's values.
    func face(of stream: UUID, known: Int64) -> UUID {
        let writing = [
            "SightingSubmitted", "SightingImported", "SightingCorrected", "SightingGeoprivacyWidened",
            "SightingIdentified",
        ]
        let last = (streams[stream] ?? []).last { $0.position <= known && writing.contains($0.type) }
        return last?.nonce ?? UUID()
    }

    /// The narrowest of what was known at one position and every narrowing up to another, and how many those are.
    private func geoprivacy(
        of stream: UUID, known: Int64, shown: Int64
    ) throws -> (value: Geoprivacy, narrowings: Int) {
        var (value, narrowings) = (Geoprivacy.open, 0)
        for event in streams[stream] ?? [] where event.position <= shown {
            switch try SightingEvent(type: event.type, payload: Array(event.payload.utf8)) {
            case .submitted(let payload) where event.position <= known: value = payload.changes.geoprivacy ?? .open
            case .geoprivacyWidened(let payload) where event.position <= known: value = payload.geoprivacy
            case .geoprivacyNarrowed(let payload):
                value = max(value, payload.geoprivacy)
                narrowings += 1
            default: break
            }
        }
        return (value, narrowings)
    }
}

extension Geoprivacy {
    fileprivate var rank: Int {
        switch self {
        case .open: 0
        case .obscured: 1
        case .private: 2
        }
    }
}
