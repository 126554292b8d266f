package import Domain
import EventLog
import FoundationEssentials
import Postgres
package import ReadModels
import Vault

/// Fills the notifications of accounts from the read models, whenever they are read or awaited.
///
/// Moderators' actions come first, in the order of the log; then what happened to the targets of the account's region;
/// then the changes of its captures, which are computed when they are read and compared with those of the last time.
/// Any number of processes may fill at once: what one of them has found is recorded only if no other has recorded
/// something since, in one statement.
package struct InboxFilling: Sendable {
    /// The read models from which notifications are made. None may be behind: captures by findings that it lacks would
    /// seem to be lost.
    package static let plan = ReviewNotification.plan.with(CaptureQueries.plan)

    /// An account's notifications after they were filled.
    package struct State: Hashable, Sendable {
        /// The highest number; 0 for none.
        package let newest: Int
        /// The region whose targets are reported to the account.
        package let region: RegionCode?
    }

    let database: any PostgresQuerying
    /// The running week of each region.
    let running: @Sendable () throws -> [RegionCode: ISOWeek]
    /// Checks that no read model is behind.
    var check: @Sendable () throws(ModelBehind) -> Void = {}

    /// Records what is new.
    /// - Throws: ``ModelBehind``; what the database throws.
    package func fill(_ account: AccountID) async throws -> State {
        try check()
        let news = InboxNews(of: account, running: try running())
        while true {
            let found = try await database.query(news.found).onlyRow()
            let state = try State(found)
            guard try found.decode("due") else { return state }
            guard let fills: Int64 = try found.decode("fills") else {
                try await Inboxes(database: database).open(of: account)
                continue
            }
            // Nothing is recorded if another process has filled meanwhile.
            if let row = try await database.query(news.recorded(after: fills)).first { return try State(row) }
        }
    }
}

extension InboxFilling.State {
    /// Reads the columns `newest` and `region`.
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            newest: try row.decode("newest"),
            region: try row.decode("region", as: String?.self).map { RegionCode(unchecked: $0) })
    }
}
