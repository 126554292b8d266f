/// Decides the commands of an export.
package enum ExportDecider: Decider {
    /// - Throws: ``ExportRejection``.
    package static func decide(
        _ command: ExportCommand, _ state: ExportState
    ) throws(ExportRejection) -> Decision<ExportEvent> {
        switch command {
        case .request(let request): return try self.request(request, state)
        case .make(let made): return try make(made, state)
        case .fail(let reason): return try fail(reason, state)
        case .restrict(let revision): return restrict(revision, state)
        case .leave(let account, let erased): return try leave(account, erased, state)
        }
    }

    private static func request(
        _ command: RequestExport, _ state: ExportState
    ) throws(ExportRejection) -> Decision<ExportEvent> {
        let account = command.account
        switch state.status {
        case .none:
            return Decision(events: [.requested(ExportRequested(account: account, query: command.query))])
        case .waiting, .made:
            if state.accounts.contains(account) { return .nothing }
            return Decision(events: [.joined(ExportJoined(account: account))])
        case .failed, .cancelled:
            return Decision(events: [.reopened(ExportReopened(account: account))])
        case .redacted:
            throw .gone
        }
    }

    private static func make(
        _ made: ExportMade, _ state: ExportState
    ) throws(ExportRejection) -> Decision<ExportEvent> {
        // Another process may have made it, if this one was slow enough to lose its claim.
        let isWanted = state.status == .waiting || state.status == .made && state.isRestricted
        guard isWanted, made.revision == state.lastRevision + 1 else { throw .ended }
        return Decision(events: [.made(made)])
    }

    /// Every process looks at every revision, so another one may have decided it before.
    private static func restrict(_ revision: Int, _ state: ExportState) -> Decision<ExportEvent> {
        guard state.revisions.contains(where: { $0.revision == revision }), !state.restricted.contains(revision)
        else { return .nothing }
        return Decision(events: [.restricted(ExportRestricted(revision: revision))])
    }

    private static func fail(
        _ reason: ExportFailure, _ state: ExportState
    ) throws(ExportRejection) -> Decision<ExportEvent> {
        switch state.status {
        case .waiting: return Decision(events: [.failed(ExportFailed(reason: reason))])
        // A full disk does not end an export that was made: its bytes can be made again later. The revision after a
        // restricted one was not made yet.
        case .made:
            guard reason == .differentBytes || state.isRestricted else { throw .ended }
            return Decision(events: [.failed(ExportFailed(reason: reason))])
        case .none, .failed, .cancelled, .redacted: throw .ended
        }
    }

    /// An export that is made stays, because others may cite it.
    private static func leave(
        _ account: AccountID, _ erased: Set<AccountID>, _ state: ExportState
    ) throws(ExportRejection) -> Decision<ExportEvent> {
        guard state.accounts.contains(account) else { throw .notFound }
        if state.status == .waiting, state.accounts.subtracting(erased).subtracting([account]).isEmpty {
            return Decision(events: [.cancelled(ExportCancelled(account: account))])
        }
        return Decision(events: [.left(ExportLeft(account: account))])
    }
}
