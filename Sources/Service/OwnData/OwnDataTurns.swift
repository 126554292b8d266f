import Domain
import NIOConcurrencyHelpers

/// Admits the files of accounts' data that are made at a time: few in all, and one for each account. A file occupies a
/// turn for as long as its client reads, which may be an hour.
final class OwnDataTurns: Sendable {
    /// The right to make one file. It ends with the object.
    final class Turn: Sendable {
        private let turns: OwnDataTurns
        private let account: AccountID

        fileprivate init(_ turns: OwnDataTurns, _ account: AccountID) {
            (self.turns, self.account) = (turns, account)
        }

        deinit {
            _ = turns.running.withLockedValue { $0.remove(account) }
        }
    }

    private let atOnce: Int
    private let running = NIOLockedValueBox<Set<AccountID>>([])

    init(atOnce: Int) {
        self.atOnce = atOnce
    }

    /// - Throws: ``OwnData/Rejection``.
    func begin(for account: AccountID) throws(OwnData.Rejection) -> Turn {
        let rejection: OwnData.Rejection? = running.withLockedValue { running in
            if running.contains(account) { return .running }
            if running.count >= atOnce { return .busy }
            running.insert(account)
            return nil
        }
        if let rejection { throw rejection }
        return Turn(self, account)
    }
}
