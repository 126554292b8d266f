import Domain
import NIOConcurrencyHelpers

/// Admits the files of accounts' data that are made at a time: one for each account, one for each client, and few in
/// all, for which clients take turns. A file occupies a turn for as long as its client reads, which may be an hour.
final class OwnDataTurns: Sendable {
    /// The right to make one file. It ends with the object.
    final class Turn: Sendable {
        private let entry: Entry
        private let turn: FairTurns.Turn

        fileprivate init(_ entry: Entry, _ turn: FairTurns.Turn) {
            (self.entry, self.turn) = (entry, turn)
        }
    }

    /// The entry of an account, until the object is gone.
    fileprivate final class Entry: Sendable {
        private let turns: OwnDataTurns
        private let account: AccountID

        init(_ turns: OwnDataTurns, _ account: AccountID) {
            (self.turns, self.account) = (turns, account)
        }

        deinit {
            _ = turns.accounts.withLockedValue { $0.remove(account) }
        }
    }

    let turns: FairTurns
    private let accounts = NIOLockedValueBox<Set<AccountID>>([])

    /// - Parameter longest: how long a request waits for its turn.
    init(atOnce: Int, longest: Duration = .seconds(5), clock: TurnClock = TurnClock()) {
        turns = FairTurns(
            TurnLimits(atOnce: atOnce, waiting: atOnce * 4, runningOfClient: 1, longest: longest), clock: clock)
    }

    /// - Throws: ``OwnData/Rejection``; `CancellationError`.
    func begin(for account: AccountID) async throws -> Turn {
        guard accounts.withLockedValue({ $0.insert(account).inserted }) else { throw OwnData.Rejection.running }
        let entry = Entry(self, account)
        do {
            return Turn(entry, try await turns.begin(by: TurnClient.address))
        } catch let full as FairTurns.Rejection {
            throw OwnData.Rejection.busy(isOwn: full.isOwn)
        }
    }
}
