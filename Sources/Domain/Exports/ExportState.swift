/// The state of an export, from its events.
package struct ExportState: Aggregate {
    /// How far it is.
    package enum Status: Equatable, Sendable {
        /// No account has asked for it.
        case none
        /// Asked for, and not made.
        case waiting
        case made
        case failed(ExportFailure?)
        case cancelled
        /// The request was redacted, so the export cannot be made.
        case redacted
    }

    package private(set) var status = Status.none
    package private(set) var query: ExportQuery?
    /// The accounts that ask for it. Never public.
    package private(set) var accounts: Set<AccountID> = []
    /// All that were made and not redacted, the first one first.
    package private(set) var revisions: [ExportMade] = []
    /// The revisions that may not be given out any more.
    package private(set) var restricted: Set<Int> = []
    /// The highest number of a revision.
    package private(set) var lastRevision = 0

    package init() {}

    /// Whether the last revision may not be given out any more, so that another one may be made.
    package var isRestricted: Bool { restricted.contains(lastRevision) }

    package mutating func evolve(_ event: ExportEvent) {
        switch event {
        case .requested(let payload):
            (status, query) = (.waiting, payload.query)
            accounts.insert(payload.account)
        case .joined(let payload):
            accounts.insert(payload.account)
        case .reopened(let payload):
            status = .waiting
            accounts.insert(payload.account)
        case .left(let payload):
            accounts.remove(payload.account)
        case .cancelled(let payload):
            status = .cancelled
            accounts.remove(payload.account)
        case .failed(let payload):
            status = .failed(payload.reason)
        case .made(let payload):
            status = .made
            lastRevision = max(lastRevision, payload.revision)
            revisions.append(payload)
        case .restricted(let payload):
            restricted.insert(payload.revision)
        case .redacted(let event):
            evolve(redacted: event.type)
        case .payloadRedacted:
            break
        }
        if query == nil { status = .redacted }
    }

    private mutating func evolve(redacted type: String) {
        switch type {
        case ExportReopened.type: status = .waiting
        case ExportCancelled.type: status = .cancelled
        case ExportFailed.type: status = .failed(nil)
        case ExportMade.type:
            status = .failed(nil)
            lastRevision += 1
        // Which one it was is lost.
        case ExportRestricted.type: restricted.formUnion(revisions.map(\.revision))
        default: break
        }
    }
}
