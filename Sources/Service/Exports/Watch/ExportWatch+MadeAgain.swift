import ReadModels

extension ExportWatch {
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
}
