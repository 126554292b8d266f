package import Domain
package import ReadModels

/// An event of a public history.
package enum PublicHistoryEvent: Hashable, Sendable {
    /// A state of the sighting, after the state before.
    case sighting(PublicState, before: PublicSighting?)
    /// A decision on one of its photos.
    case photo(PublicPhotoDecision)
}

extension PublicReader {
    /// The public history of a sighting and its photos, oldest first.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone``; what the database throws.
    package func history(_ id: SightingID, asOf moment: PublicMoment) async throws -> [PublicHistoryEvent] {
        let queries = PublicHistoryQueries(pool)
        async let decisions = queries.photoDecisions(on: id, asOf: moment)
        let states = try await queries.states(of: id, asOf: moment)
        guard let last = states.last else { throw CommandError.notFound }
        if last.sighting.kind == .gone { throw CommandError.gone }
        let shown = states.filter { $0.sighting.kind != .gone }
        let changes = zip(shown, [nil] + shown.map(\.sighting)).map { state, before in
            (position: state.sighting.knownSince, event: PublicHistoryEvent.sighting(state, before: before))
        }
        let judged = try await decisions.map { (position: $0.knownSince, event: PublicHistoryEvent.photo($0)) }
        return (changes + judged).sorted { $0.position < $1.position }.map(\.event)
    }
}
