import Domain
import EventLog
import FoundationEssentials
import Logging
import Postgres
import ReadModels
import Vault

extension ExportWatch {
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

    /// - Returns: whether the revision may be given out.
    @discardableResult
    func look(
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

    func touch(
        _ revision: CurrentRevision, from first: PublicMoment, to second: PublicMoment
    ) async throws -> RestrictionQueries.Touch {
        try await pool.withExclusive {
            try await RestrictionQueries($0).touch(revision.selection, from: first, to: second)
        }
    }

    /// Takes a revision back: first in the log, so that nothing gives it out any more.
    func restrict(_ revision: CurrentRevision) async throws {
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
}
