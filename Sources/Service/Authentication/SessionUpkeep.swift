package import FoundationEssentials
package import Logging
internal import NIOConcurrencyHelpers
package import Vault

/// Periodic work for sessions in every process: load new signing keys and the sessions that other processes ended,
/// and delete what has expired.
package final class SessionUpkeep: Sendable {
    private struct State {
        /// Sessions that ended before are known.
        var endedKnownUntil: Date?
        var purgedAt: Date?
    }

    /// Clocks of two machines differ, and a session's end is seen only when it is committed.
    private static let overlap: Duration = .seconds(60)
    private static let purgePeriod: Duration = .seconds(3600)

    private let accessTokens: AccessTokens
    private let refreshTokens: RefreshTokens
    private let period: Duration
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let state = NIOLockedValueBox(State())

    /// - Parameter period: longest time for which this process still accepts a session that another one ended.
    package init(
        accessTokens: AccessTokens, refreshTokens: RefreshTokens, period: Duration = .seconds(5),
        logger: Logger, now: @escaping @Sendable () -> Date
    ) {
        self.accessTokens = accessTokens
        self.refreshTokens = refreshTokens
        self.period = period
        self.logger = logger
        self.now = now
    }

    /// Repeats the work until the task is cancelled. A failure is logged and does not end it.
    package func run(clock: any Clock<Duration> = ContinuousClock()) async {
        while !Task.isCancelled {
            do {
                try await perform()
            } catch is CancellationError {
                return
            } catch {
                logger.warning("session upkeep failed", metadata: ["error": "\(error)"])
            }
            try? await clock.sleep(for: period)
        }
    }

    /// Does the work once.
    ///
    /// - Throws: what the database throws; work done before the error is kept.
    package func perform() async throws {
        let now = now()
        try await accessTokens.refreshKeys()
        try await learnOfEndedSessions(at: now)
        try await purge(at: now)
    }

    private func learnOfEndedSessions(at now: Date) async throws {
        let known = state.withLockedValue { $0.endedKnownUntil }
        let since = known ?? now.adding(.zero - accessTokens.revocationSpan)
        accessTokens.revoke(try await refreshTokens.ended(since: since.adding(.zero - Self.overlap)))
        state.withLockedValue { $0.endedKnownUntil = now }
    }

    private func purge(at now: Date) async throws {
        let last = state.withLockedValue { $0.purgedAt }
        if let last, last.adding(Self.purgePeriod) > now { return }
        while try await refreshTokens.purge(at: now) > 0 { try Task.checkCancellation() }
        state.withLockedValue { $0.purgedAt = now }
    }
}
