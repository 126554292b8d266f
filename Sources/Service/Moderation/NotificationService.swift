package import Domain
import EventLog
import Postgres
package import ReadModels
import Vault

/// Lists moderators' actions on an account's sightings and photos.
package struct NotificationService: Sendable {
    /// The read model that is queried.
    package static let model = NotificationQueries.model.name

    let queries: NotificationQueries
    let read: NotificationsRead

    /// A notification with the moderator's note.
    package struct Shown: Sendable {
        package let notification: ReviewNotification
        package let note: String?
    }

    /// Notifications of an account, the oldest first.
    package struct Page: Sendable {
        package let items: [Shown]
        /// The number of notifications that the account has not read.
        package let unread: Int
        /// Whether there are more with higher numbers.
        package let hasMore: Bool
    }

    /// The notifications with the lowest numbers above `number`.
    /// - Throws: what the database throws.
    package func page(of account: AccountID, after number: Int, limit: Int) async throws -> Page {
        // The newest number is read last, so that one that arrives meanwhile counts as unread.
        let readUpTo = try await read.number(of: account)
        let found = try await queries.notifications(of: account, after: number, limit: limit + 1, and: Self.note)
        let newest = try await queries.newest(of: account)
        let items = try found.prefix(limit).map {
            Shown(notification: $0.notification, note: try $0.row.decode("note"))
        }
        return Page(items: items, unread: max(0, newest - readUpTo), hasMore: found.count > limit)
    }

    /// Marks an account's notifications as read up to a number.
    /// - Parameter number: a higher one than the newest counts as the newest.
    /// - Returns: the number of unread notifications.
    /// - Throws: what the database throws.
    package func read(upTo number: Int, by account: AccountID) async throws -> Int {
        let newest = try await queries.newest(of: account)
        let readUpTo = try await read.note(min(number, newest), by: account)
        return max(0, newest - readUpTo)
    }

    /// The note that was written with the event of a notification `s`.
    private static let note: SQL = """
        (SELECT c.value FROM vault.content c
          WHERE c.stream = s.id AND c.field = \(ContentField.decisionNote.rawValue) AND c.position = s.position) AS note
        """
}
