package import Domain
import EventLog
import Postgres
package import ReadModels
import Vault

/// Lists the notifications of accounts: moderators' actions on their sightings and photos, and changes of targets and
/// captures.
package struct NotificationService: Sendable {
    let filling: InboxFilling
    let read: NotificationsRead
    let database: any PostgresQuerying
    let reads: Reads

    /// The number of notifications to list, and the number after which they begin.
    package struct Request: SliceRequest {
        package var limit: Int
        package var after: Int?

        package init(limit: Int, after: Int? = nil) {
            (self.limit, self.after) = (limit, after)
        }
    }

    /// Notifications of an account, the oldest first.
    package struct Page: Sendable {
        package let slice: Slice<AccountNotification, Int>
        /// The number of notifications that the account has not read.
        package let unread: Int
    }

    /// Waits until the read models from which notifications are made have what an answer must show.
    /// - Throws: as ``Reads/wait(_:_:)``.
    package func wait(_ asked: Asked) async throws {
        try await reads.wait(InboxFilling.plan, asked)
    }

    /// The notifications with the lowest numbers above the requested one.
    /// - Throws: what the database throws.
    package func page(of account: AccountID, _ request: Request) async throws -> Page {
        // The newest number is read last, so that one that arrives meanwhile counts as unread.
        let readUpTo = try await read.number(of: account)
        let newest = try await newest(of: account)
        let found = try await list(of: account, after: request.after ?? 0, limit: request.rows)
        return Page(slice: request.slice(found) { $0.number }, unread: max(0, newest - readUpTo))
    }

    /// Marks an account's notifications as read up to a number.
    /// - Parameter number: a higher one than the newest counts as the newest.
    /// - Returns: the number of unread notifications.
    /// - Throws: what the database throws.
    package func read(upTo number: Int, by account: AccountID) async throws -> Int {
        let newest = try await newest(of: account)
        let readUpTo = try await read.note(min(number, newest), by: account)
        return max(0, newest - readUpTo)
    }

    /// The number of the newest notification, once all are there; 0 if there is none.
    /// - Throws: what the database throws.
    package func newest(of account: AccountID) async throws -> Int {
        try await filling.fill(account).newest
    }

    /// The notifications that are there with the lowest numbers above `number`, in their order.
    /// - Throws: what the database throws.
    package func list(of account: AccountID, after number: Int, limit: Int) async throws -> [AccountNotification] {
        let result = try await database.query(
            """
            SELECT \(fragment: AccountNotification.selection)
              FROM vault.inbox i
              LEFT JOIN \(fragment: ReviewNotification.table) s ON s.account = i.account AND s.position = i.review
             WHERE i.account = \(account.uuid) AND i.number > \(number) AND (i.review IS NULL OR s.position IS NOT NULL)
             ORDER BY i.number LIMIT \(limit)
            """)
        return try result.rows.map { try AccountNotification($0) }
    }
}
