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

    /// Looks at one revision, unless the last look at it is still good: before its bytes are given out.
    /// - Returns: whether it may be given out.
    /// - Throws: ``ModelBehind`` where it cannot be looked at.
    func permits(_ key: CurrentRevision.Key) async throws -> Bool {
        if watched.isCurrent(key) { return true }
        let time = ContinuousClock.now
        let now = try await present()
        guard let revision = try await ExportQueries(reads.primary).currentRevisions(key).first else { return false }
        return try await look(at: revision, now, time)
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

    /// - Returns: whether the revision may be given out.
    @discardableResult
    private func look(
        at revision: CurrentRevision, _ now: PublicMoment, _ time: ContinuousClock.Instant
    ) async throws -> Bool {
        let now = now.known(as: revision.moment)
        var last = watched.look(at: revision.key)?.moment ?? revision.moment
        guard last.shown < now.shown || last.settled < now.settled else {
            watched.note(revision.key, now, at: time)
            return true
        }
        let span = RestrictionQueries.Span(from: last, to: now)
        if last.shown > revision.moment.shown,
            try await RestrictionQueries(reads.primary).hasRedactions(in: span)
        {
            last = revision.moment
        }
        let touch = try await touch(revision, from: last, to: now)
        if touch.isTouched {
            try await restrict(revision)
            return false
        }
        if let redacted = touch.unclearSince,
            try await !isSurelyStored(revision.sha256, after: redacted)
        {
            // Only bytes that are made again show it: they must be those that were.
            watched.end(revision.key)
            try await storage.remove(revision.sha256)
            logger.info("an export must be made again", metadata: ["export": "\(revision.key.export)"])
        }
        watched.note(revision.key, now, at: time)
        return true
    }

    /// Whether bytes were read after a redaction, by the time at which they were stored.
    private func isSurelyStored(_ sha256: Fingerprint, after redacted: Instant) async throws -> Bool {
        guard let longestExport else { return false }
        return try await storage.files.isStored(sha256, longestExport, after: redacted)
    }

    private func touch(
        _ revision: CurrentRevision, from first: PublicMoment, to second: PublicMoment
    ) async throws -> RestrictionQueries.Touch {
        try await pool.withExclusive {
            try await RestrictionQueries($0).touch(revision.selection, from: first, to: second)
        }
    }

    /// Whether bytes that were made again may be stored.
    enum Check {
        case current, restricted
        /// Something was redacted since they were begun, so they may have it.
        case outdated
    }

    /// Checks a revision whose bytes were made again, and restricts it if it is touched.
    /// - Parameter start: a moment before its records were read.
    func check(_ key: CurrentRevision.Key, madeSince start: PublicMoment) async throws -> Check {
        let now = try await present()
        guard let revision = try await ExportQueries(reads.primary).currentRevisions(key).first else {
            return .restricted
        }
        if try await touch(revision, from: revision.moment, to: now.known(as: revision.moment)).isTouched {
            try await restrict(revision)
            return .restricted
        }
        let span = RestrictionQueries.Span(from: start, to: now)
        return try await RestrictionQueries(reads.primary).hasRedactions(in: span) ? .outdated : .current
    }

    /// Restricts a revision whose bytes, made again, are other ones, if anything happened that explains it.
    /// - Returns: false if nothing did.
    func restrictIfTouched(_ key: CurrentRevision.Key) async throws -> Bool {
        let now = try await present()
        guard let revision = try await ExportQueries(reads.primary).currentRevisions(key).first else { return true }
        let touch = try await touch(revision, from: revision.moment, to: now.known(as: revision.moment))
        guard touch.isTouched || touch.isUnclear else { return false }
        try await restrict(revision)
        return true
    }

    /// Takes a revision back: first in the log, so that nothing gives it out any more.
    private func restrict(_ revision: CurrentRevision) async throws {
        watched.forget(revision.key)
        let (export, number) = (revision.key.export, revision.key.revision)
        let command = signer.identity(
            account: UUID(bytes: []), command: "RestrictExport", target: export.uuid, key: UUID(), request: .empty,
            actor: nil)
        let _: Outcome<ExportState> = try await store.change(export.uuid, ifVersions: nil, command) {
            try ExportDecider.decide(.restrict(number), $0.state)
        }
        try await storage.remove(revision.sha256)
        logger.info("an export was restricted", metadata: ["export": "\(export)", "revision": "\(number)"])
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
    fileprivate func known(as other: PublicMoment) -> PublicMoment {
        PublicMoment(
            known: other.known, shown: max(shown, other.shown), guarded: other.guarded,
            settled: max(settled, other.settled), of: other.day)
    }
}
