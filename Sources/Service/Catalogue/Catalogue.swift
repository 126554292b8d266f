package import Domain
import EventLog
package import Logging
import NIOConcurrencyHelpers
import Postgres
package import ReadModels

/// All taxa in memory, so that a name is resolved without a query.
///
/// It is loaded from the taxa's read model, and again whenever that has changed. Between a taxon's event and the next
/// load, a moment later, names are resolved as before; events record the result, so nothing depends on it.
package final class Catalogue: Sendable {
    /// The source of the taxa.
    package protocol Source: Sendable {
        /// Whether any taxon has events above a position.
        func changed(since position: Int64) async throws -> Bool
        /// All taxa, and the position of the last event they know.
        func taxa() async throws -> (entries: [TaxonEntry], position: Int64)
    }

    private struct Content {
        var names = TaxonNames([])
        var position: Int64 = 0
    }

    private let source: any Source
    private let logger: Logger
    private let content = NIOLockedValueBox(Content())

    /// An empty catalogue; it has no taxon until it is loaded from its source.
    package init(_ source: any Source, logger: Logger) {
        self.source = source
        self.logger = logger
    }

    /// The names as they are now.
    package var names: TaxonNames { content.withLockedValue { $0.names } }

    /// The position of the last event that ``names`` knows; 0 when there are no taxa.
    package var position: Int64 { content.withLockedValue { $0.position } }

    /// Loads the taxa if they have changed since.
    /// - Parameter other: used instead of the catalogue's own source while that is not available yet.
    /// - Throws: what the source throws.
    package func refresh(from other: (any Source)? = nil) async throws {
        let source = other ?? source
        guard try await source.changed(since: position) else { return }
        let (entries, position) = try await source.taxa()
        let fresh = Content(names: TaxonNames(entries), position: position)
        content.withLockedValue { if $0.position < position { $0 = fresh } }
        logger.info("taxa loaded", metadata: ["taxa": "\(entries.count)", "position": "\(position)"])
    }

    /// Refreshes repeatedly until the task is cancelled.
    package func run(every interval: Duration = .seconds(1)) async {
        await repeating(every: interval, else: "taxa not loaded", at: .warning, to: logger) { try await refresh() }
    }
}

extension TaxonQueries: Catalogue.Source {
    package func changed(since position: Int64) async throws -> Bool {
        try await newest() > position
    }

    package func taxa() async throws -> (entries: [TaxonEntry], position: Int64) {
        // Read before the taxa, which then have all events up to it.
        let newest = try await newest()
        let taxa = try await changes().taxa
        return (taxa.map(\.entry), taxa.map(\.position).reduce(newest, max))
    }
}

/// Looks up taxa with all their details.
package struct TaxonService: Sendable {
    let store: StreamStore
    let router: ReadRouter
    let catalogue: Catalogue

    /// A taxon in its present state, with the names by which the catalogue finds it.
    /// - Throws: ``CommandError/notFound``; what the database throws.
    package func taxon(_ id: TaxonID) async throws -> TaxonState.Taxon {
        // From the log: a standby that has the taxa's model so far has its events.
        let replayed = try await router.read(ReadPlan(.taxa), seeing: catalogue.position) { [store] pool, _ in
            try await store.reading(pool).load(id.uuid, as: TaxonState.self)
        }
        let stored = if let replayed { replayed } else { try await store.load(id.uuid, as: TaxonState.self) }
        guard let taxon = stored?.state.taxon else { throw CommandError.notFound }
        return taxon
    }
}
