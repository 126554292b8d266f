package import Domain
import EventLog
package import FoundationEssentials
import ReadModels
import Vault

/// A request for an export.
package struct ExportRequest: Hashable, Sendable {
    package var format: ExportFormat
    package var filter: RecordFilter
    /// The day (UTC) as of whose end it is; nil for the present.
    package var day: CivilDate?
    /// The terms of a table of ranges; nil for other formats.
    package var ranges: RangeTerms?

    package init(format: ExportFormat, filter: RecordFilter, day: CivilDate?, ranges: RangeTerms? = nil) {
        (self.format, self.filter, self.day, self.ranges) = (format, filter, day, ranges)
    }

    /// For the fingerprint: the same for equal requests.
    var canonical: CanonicalText {
        CanonicalText([format.rawValue, filter.canonical, day?.description] + (ranges.map { [$0.canonical] } ?? []))
    }
}

/// Why an export is not made, or its bytes are not returned, for reasons besides its own state.
package enum ExportRequestRejection: Error, Hashable, Sendable {
    /// The format needs settings that the service does not have.
    case notConfigured([ExportSite.Setting])
    /// The account waits for as many exports as it may.
    case running
    /// The account has asked for as many exports as it may in a day.
    case quota(secondsLeft: Int)
    /// Too many exports wait to be made.
    case full
    /// The bytes are not stored now. A client may ask again after some seconds.
    case notReady(ExportView.State, wait: Int = Self.wait)
    /// The bytes are gone, and this version of the service makes other ones.
    case otherOutput
    /// A restriction has touched a record of the revision. The next revision has what may be shown.
    case restricted(ExportID, successor: Int)

    /// Seconds after which a client may look again.
    package static let wait = 5
    /// The same while too many exports wait to be made.
    package static let waitForRoom = 60
}

/// Takes requests for exports, and cancels them.
package struct ExportService: Sendable {
    /// The outcome of a request.
    package struct Accepted: Sendable {
        package let id: ExportID
        package let position: Int64
        /// Whether the request began the export, or began it again.
        package let isNew: Bool
    }

    let store: StreamStore
    let reads: Reads
    let signer: CommandSigner
    let jobs: ExportJobs
    let turns: ExportTurns
    let quotas: DailyQuotas
    let verified: VerifiedAccounts
    let erasures: Erasures
    let limits: ExportSettings.Limits
    let site: ExportSite
    let now: @Sendable () -> Instant

    /// Asks for an export. With a day, all who ask for the same get the same export. Idempotent: a retry with the same
    /// key and request returns the first outcome.
    /// - Throws: ``ExportRequestRejection``, `ExportRejection`, ``CommandError``, ``DayNotOver``, ``ModelBehind``; what
    ///   the database throws.
    package func request(_ request: ExportRequest, by account: AccountID, key: UUID) async throws -> Accepted {
        let missing = site.missing(for: request.format)
        guard missing.isEmpty else { throw ExportRequestRejection.notConfigured(missing) }
        let command = signer.identity(
            account: account.uuid, command: "RequestExport", key: key, request: request.canonical, actor: account.uuid)
        var query = ExportQuery(
            format: request.format, filter: request.filter, day: request.day, outputVersion: ExportOutput.version,
            site: site.fingerprint(for: request.format, signer), ranges: request.ranges)
        if request.day == nil {
            let id = ExportID(CommandID.stream(kind: StreamKind.export.rawValue, of: command.id))
            return try await record(id, command, account, key) {
                // Not before: a retry has the pin of the first attempt.
                query.pin = try await pin()
                return query
            }
        }
        guard let day = request.day, day <= reads.log.lastDay else { throw DayNotOver() }
        let id = query.contentID(signer)
        return try await record(id, command, account, key) { query }
    }

    /// Ends an account's request. If no other account asks for the export and it is not made yet, it is cancelled.
    /// - Returns: the position of the event.
    /// - Throws: `ExportRejection`, ``CommandError``; what the database throws.
    package func leave(_ id: ExportID, by account: AccountID, key: UUID) async throws -> Int64 {
        let command = signer.identity(
            account: account.uuid, command: "LeaveExport", target: id.uuid, key: key, request: .empty,
            actor: account.uuid)
        let outcome: Outcome<ExportState> = try await store.change(id.uuid, ifVersions: nil, command) {
            let erased = try await erasures.begun(among: $0.state.accounts)
            return try ExportDecider.decide(.leave(account, erased: erased), $0.state)
        }
        return outcome.stored.position
    }

    /// The present moment, as of which the export will be.
    private func pin() async throws -> ExportPin {
        let moment = try await reads.source(BulkReader.plan, Asked()).moment
        return ExportPin(known: Int(moment.known), guarded: Int(moment.guarded))
    }

    private func record(
        _ id: ExportID, _ command: CommandIdentity, _ account: AccountID, _ key: UUID,
        _ query: () async throws -> ExportQuery
    ) async throws -> Accepted {
        let use = ExportUse(service: self, id: id, account: account)
        do {
            let outcome: Outcome<ExportState>? = try await store.beginOrChange(id.uuid, ifVersions: nil, command) {
                let request = RequestExport(account: account, query: try await query())
                var decision = try ExportDecider.decide(.request(request), $0)
                if !decision.isEmpty {
                    // The key's request for another export is in another stream.
                    decision.reservations = [Reservation(kind: .exportRequest, text: "\(account) \(key)")]
                }
                try await use.take(for: decision)
                return decision
            }
            guard let outcome else { throw CommandError.notFound }
            if outcome.isRepeat { try await use.giveBack() }
            let state = outcome.current.state
            let needsRevision = state.status == .made && state.isRestricted
            if needsRevision {
                // As for downloads: a restriction of one record may touch any number of exports.
                let wait = try await jobs.remake(id, after: state.lastRevision, atMost: limits.remakes, reads)
                guard wait != nil else { throw ExportRequestRejection.full }
            }
            return Accepted(
                id: id, position: outcome.stored.position,
                isNew: needsRevision || (outcome.isRepeat ? outcome.stored.version == 1 : use.isNew))
        } catch {
            try await use.giveBack()
            throw error
        }
    }
}

/// The turn and the quota that one request uses. Joining an export that exists uses none.
private final class ExportUse {
    private let service: ExportService
    private let id: ExportID
    private let account: AccountID
    private var day: CivilDate?
    private var hasTurn = false
    /// Whether the request has the export made.
    private(set) var isNew = false

    init(service: ExportService, id: ExportID, account: AccountID) {
        (self.service, self.id, self.account) = (service, id, account)
    }

    /// - Throws: ``ExportRequestRejection``.
    func take(for decision: Decision<ExportEvent>) async throws {
        isNew = false
        switch decision.events.first {
        case .requested, .reopened:
            try await takeTurn()
            try await takeFromQuota()
            isNew = true
        case .joined:
            // Another account's request was earlier.
            if hasTurn { try await service.turns.remove(id, of: account) }
            hasTurn = false
            try await giveQuotaBack()
        case .left, .cancelled, .failed, .made, .restricted, .payloadRedacted, .redacted, nil:
            // Another request of the account was earlier: the turn is its own while the export is to be made.
            try await giveBack()
        }
    }

    private func takeTurn() async throws {
        guard !hasTurn else { return }
        let limits = service.limits
        switch try await service.turns.take(id, for: account, own: limits.unfinished, most: limits.waiting) {
        case .taken: hasTurn = true
        case .running: throw ExportRequestRejection.running
        case .full: throw ExportRequestRejection.full
        }
    }

    private func takeFromQuota() async throws {
        let isVerified = try await service.verified.contains(account)
        guard day == nil, let limit = isVerified ? service.limits.perDay : service.limits.unverifiedPerDay else {
            return
        }
        let today = service.now().date()
        guard try await service.quotas.use(.exports, of: account, on: today, atMost: limit) else {
            throw ExportRequestRejection.quota(secondsLeft: service.now().secondsLeftOfDay)
        }
        day = today
    }

    func giveBack() async throws {
        if hasTurn { try await service.turns.giveBack(id, of: account) }
        hasTurn = false
        try await giveQuotaBack()
    }

    private func giveQuotaBack() async throws {
        if let day { try await service.quotas.giveBack(.exports, of: account, on: day) }
        day = nil
    }
}
