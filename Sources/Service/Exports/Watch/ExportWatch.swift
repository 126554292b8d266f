import Domain
import EventLog
import FoundationEssentials
import Logging
package import Postgres
import ReadModels
import Vault

/// Checks whether a restriction, or the turn of a month, has touched a revision of an export, in every process of the
/// service. The bytes of a touched one are removed, and its downloads end, in this process at once and in others with
/// their next look.
///
/// A look compares the moments of a revision and of now, not their records, so it is quick while nothing is restricted.
package struct ExportWatch: Sendable {
    let reads: Reads
    let store: StreamStore
    let storage: ExportStorage
    let signer: CommandSigner
    let logger: Logger
    let watched: WatchedRevisions
    /// For statements that may take long: a restriction of a frequent taxon touches all its records.
    var pool: PostgresPool

    /// The longest time from the first read of an export to its storing: one that was stored later than that after a
    /// redaction was read after it. Nil if there is no such time.
    let longestExport: Duration?

    /// The same watch over other connections.
    package func over(_ pool: PostgresPool) -> ExportWatch {
        var watch = self
        watch.pool = pool
        return watch
    }

    /// Looks until the task is cancelled.
    package func run(every interval: Duration = .seconds(20)) async {
        await repeating(every: interval, else: "exports not looked at", at: .warning, to: logger) { try await look() }
    }

    /// Looks once at all revisions whose bytes are stored. One that fails does not keep the others from being looked
    /// at.
    /// - Throws: ``ModelBehind``; what the database throws.
    package func look() async throws {
        let time = ContinuousClock.now
        let now = try await present()
        var revisions = try await ExportQueries(reads.primary).currentRevisions()
        // Another process has restricted them.
        for key in watched.keys.subtracting(revisions.map(\.key)) { watched.forget(key) }
        try await removeRestricted()
        // The others are looked at when they are asked for, or made again.
        let stored = try await storage.files.all()
        revisions.removeAll { !stored.contains($0.sha256) }
        guard try await hasAnythingHappened(to: revisions, upTo: now) else {
            for revision in revisions { watched.note(revision.key, now.known(as: revision.moment), at: time) }
            return
        }
        for revision in revisions {
            do {
                try await look(at: revision, now, time)
            } catch {
                try Task.checkCancellation()
                logger.error(
                    "an export could not be looked at",
                    metadata: ["export": "\(revision.key.export)", "error": "\(String(reflecting: error))"])
            }
        }
    }

    /// The moment that has everything recorded before the call: with a model that lags, a look would miss restrictions.
    /// - Throws: ``ModelBehind``; what the database throws.
    func present() async throws -> PublicMoment {
        let head = try await reads.log.current().position
        return try await reads.source(BulkReader.plan, Asked(position: head)).moment
    }

    /// One statement for all revisions that were looked at, so that nothing is done for each while nothing happens.
    private func hasAnythingHappened(to revisions: [CurrentRevision], upTo now: PublicMoment) async throws -> Bool {
        let moments = revisions.map { watched.look(at: $0.key)?.moment ?? $0.moment }
        guard let shown = moments.map(\.shown).min(), let settled = moments.map(\.settled).min() else { return false }
        guard shown < now.shown || settled < now.settled else { return false }
        let earliest = PublicMoment(known: 0, shown: shown, settled: settled)
        return try await pool.withExclusive {
            try await RestrictionQueries($0).happened(in: RestrictionQueries.Span(from: earliest, to: now))
        }
    }

    /// Removes the bytes that restricted revisions still have: where a removal failed, or a process that was slow
    /// stored them again. Bytes that another revision has stay.
    private func removeRestricted() async throws {
        let schema = ReadModel.exports.schema
        let result = try await reads.primary.query(
            """
            select f.sha256 from vault.export_files f
             where exists (select from \(identifier: schema).revisions v where v.sha256 = f.sha256 and v.restricted)
               and not exists (select from \(identifier: schema).revisions v
                                where v.sha256 = f.sha256 and not v.restricted)
            """)
        for row in result.rows { try await storage.remove(Fingerprint(unchecked: try row.decode("sha256"))) }
    }
}

extension PublicMoment {
    /// This moment for what was known at that of a revision, and no earlier than it: it may have been made since.
    func known(as other: PublicMoment) -> PublicMoment {
        PublicMoment(
            known: other.known, shown: max(shown, other.shown), guarded: other.guarded,
            settled: max(settled, other.settled), of: other.day)
    }
}
