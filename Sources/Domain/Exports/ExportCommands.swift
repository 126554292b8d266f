/// The commands of an export.
package enum ExportCommand: Equatable, Sendable {
    case request(RequestExport)
    case make(ExportMade)
    case fail(ExportFailure)
    /// A revision may not be given out any more.
    case restrict(Int)
    /// The account no longer asks for it. Accounts in `erased` do not count as asking for it.
    case leave(AccountID, erased: Set<AccountID> = [])
}

/// Asks for an export.
package struct RequestExport: Equatable, Sendable {
    package var account: AccountID
    package var query: ExportQuery

    package init(account: AccountID, query: ExportQuery) {
        (self.account, self.query) = (account, query)
    }
}

/// Why a command is rejected.
package enum ExportRejection: Error, Equatable, Sendable {
    /// There is no such export, or the account does not ask for it.
    case notFound
    /// The request was redacted.
    case gone
    /// It was made, cancelled or given up meanwhile.
    case ended
}
