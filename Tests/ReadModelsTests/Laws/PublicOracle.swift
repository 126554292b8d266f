import Domain
import EventLog
import FoundationEssentials
import ReadModels

/// The public view of every sighting at two positions, computed the slow way: from the definitions, event by event,
/// with the domain's own evolve and generalisation.
struct PublicOracle {
    /// A taxon and all below it became at least so sensitive.
    private struct Restriction {
        let position: Int64
        let taxa: Set<TaxonID>
        let category: Int
    }

    let streams: [UUID: [RecordedEvent]]
    private var observers: [AccountID: ObserverID] = [:]
    private var erased: Set<AccountID> = []
    private var restrictions: [Restriction] = []
    /// The tree and the categories after each change.
    private var taxonomies: [(position: Int64, parents: [TaxonID: TaxonID], categories: [TaxonID: Int])] = []

    init(_ events: [RecordedEvent]) throws {
        streams = Dictionary(grouping: events, by: \.stream).filter { $0.value[0].type.hasPrefix("Sighting") }
        var parents: [TaxonID: TaxonID] = [:]
        var categories: [TaxonID: Int] = [:]
        func chain(_ taxon: TaxonID) -> [TaxonID] {
            var found = [taxon]
            while let parent = found.last.flatMap({ parents[$0] }), !found.contains(parent) { found.append(parent) }
            return found
        }
        for event in events {
            var raised: Int?
            let taxon = TaxonID(event.stream)
            if event.type.hasPrefix("Account") {
                if event.type == AccountErased.type { erased.insert(AccountID(event.stream)) }
                switch try AccountEvent(type: event.type, payload: Array(event.payload.utf8)) {
                case .registered(let payload): observers[AccountID(event.stream)] = payload.observer
                case .erased: observers[AccountID(event.stream)] = nil
                case .redacted(let redacted) where redacted.type == AccountErased.type:
                    observers[AccountID(event.stream)] = nil
                default: break
                }
                continue
            }
            guard event.type.hasPrefix("Taxon") else { continue }
            switch try TaxonEvent(type: event.type, payload: Array(event.payload.utf8)) {
            case .added(let payload): parents[taxon] = payload.parent
            case .moved(let payload): parents[taxon] = payload.parent
            case .sensitivitySet(let payload):
                categories[taxon] = payload.category?.rawValue
                raised = categories[taxon]
            default: continue
            }
            taxonomies.append((event.position, parents, categories))
            if event.type != "TaxonSensitivitySet" {
                // It has new ancestors, and shares their categories from now on.
                raised = chain(taxon).dropFirst().compactMap { categories[$0] }.min()
            }
            guard let raised else { continue }
            let known = Set(parents.keys).union(parents.values).union([taxon])
            restrictions.append(
                Restriction(
                    position: event.position, taxa: known.filter { chain($0).contains(taxon) }, category: raised))
        }
    }

    /// The effective category of a sighting, as known at one position, under the restrictions up to another.
    func category(of stream: UUID, known: Int64, upTo shown: Int64) throws -> Int? {
        let own = streams[stream] ?? []
        let release = try own.last { try $0.position <= min(known, shown) && Self.released($0) != nil }
        let since = release?.position ?? 0
        let newest = try own.last { try $0.position < since && Self.namesTaxon($0) }
        var found: [Int] = []
        if let category = try release.flatMap(Self.released)?.released { found.append(category.rawValue) }
        if let taxon = try newest.flatMap(Self.identification)?.taxon { found += inForce(taxon, at: since) }
        for event in own where event.position > since && event.position <= shown {
            guard let identification = try Self.identification(event) else { continue }
            if let category = identification.category { found.append(category) }
            // A sighting that is gone waits for its next full payload.
            if let taxon = identification.taxon, try !Self.isGone(own, at: event) {
                found += inForce(taxon, at: event.position)
            }
        }
        for restriction in restrictions where restriction.position > since && restriction.position <= shown {
            let before = own.filter { $0.position < restriction.position }
            let covers = try before.contains { event in
                // Only the newest identification before the release counts.
                guard event.position > since || event.position == newest?.position,
                    let taxon = try Self.identification(event)?.taxon
                else { return false }
                return try restriction.taxa.contains(taxon) && !Self.isGone(before, at: event)
            }
            guard covers, let last = before.last else { continue }
            // While it is gone nothing changes: the restriction waits for its next event.
            let waits = try Self.isGone(before, at: last)
            let next = own.first { $0.position > restriction.position }?.position
            if !waits || (next ?? .max) <= shown { found.append(restriction.category) }
        }
        return found.min()
    }

    /// Whether an event names the taxon, or says that there is none.
    private static func namesTaxon(_ event: RecordedEvent) throws -> Bool {
        try identificationChanges(event)?.taxon.isUnset == false
    }

    /// The payload of a release; nil for any other event.
    private static func released(_ event: RecordedEvent) throws -> SightingReleased? {
        guard case .released(let payload) = try SightingEvent(type: event.type, payload: Array(event.payload.utf8))
        else { return nil }
        return payload
    }

    /// The categories of a taxon and its ancestors, as of a position.
    private func inForce(_ taxon: TaxonID, at position: Int64) -> [Int] {
        guard let now = taxonomies.last(where: { $0.position <= position }) else { return [] }
        var line = [taxon]
        while let parent = line.last.flatMap({ now.parents[$0] }), !line.contains(parent) { line.append(parent) }
        return line.compactMap { now.categories[$0] }
    }

    /// The events of a sighting, to print with a failure.
    func events(of stream: UUID) -> String {
        (streams[stream] ?? []).map { "\($0.position) \($0.type) \($0.payload)" }.joined(separator: "\n")
    }

    /// The public view of a sighting; nil if nothing is public.
    func view(_ stream: UUID, known: Int64, shown: Int64) throws -> SeenSighting? {
        let own = streams[stream] ?? []
        guard let first = own.first, first.position <= known else { return nil }
        guard let (id, category, geoprivacy) = try name(stream, known: known, shown: shown) else { return nil }
        var state = SightingState()
        for event in own where event.position <= known {
            state.evolve(try SightingEvent(type: event.type, payload: Array(event.payload.utf8)))
        }
        let last = own.last { $0.position <= known } ?? first
        let upToShown = own.filter { $0.position <= shown }
        guard let record = state.record, try !Self.isGone(upToShown, sinceBirthOf: last) else {
            return SeenSighting(gone: id)
        }
        return SeenSighting(
            id: id, state, record, category.flatMap { SensitivityCategory(rawValue: $0) },
            geoprivacy: geoprivacy,
            observer: record.observer.flatMap { observers[$0] },
            isForgotten: record.observer.map(erased.contains) ?? false)
    }

    private static func identification(_ event: RecordedEvent) throws -> (taxon: TaxonID?, category: Int?)? {
        try identificationChanges(event).map { ($0.taxon.value, $0.sensitivity.value?.rawValue) }
    }

    private static func identificationChanges(_ event: RecordedEvent) throws -> IdentificationChanges? {
        switch try SightingEvent(type: event.type, payload: Array(event.payload.utf8)) {
        case .submitted(let payload): payload.identification
        case .imported(let payload): payload.identification
        case .corrected(let payload): payload.identification
        case .identified(let payload): payload.identification
        default: nil
        }
    }

    private static func isGone(_ events: [RecordedEvent], at event: RecordedEvent) throws -> Bool {
        try isGone(events.filter { $0.version <= event.version }, sinceBirthOf: event)
    }

    /// Whether something takes the record away that is no older than the full payload an event builds on.
    private static func isGone(_ events: [RecordedEvent], sinceBirthOf event: RecordedEvent) throws -> Bool {
        let born = events.last {
            $0.version <= event.version && ["SightingSubmitted", "SightingImported"].contains($0.type)
        }
        return try events.contains { other in
            guard other.version >= born?.version ?? 0 else { return false }
            switch try SightingEvent(type: other.type, payload: Array(other.payload.utf8)) {
            case .redacted: return true
            case .withdrawn(let payload): return payload.reason == .privacy
            default: return false
            }
        }
    }
}
