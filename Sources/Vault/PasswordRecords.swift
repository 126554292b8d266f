package import Domain
package import FoundationEssentials
package import Postgres

/// Finds what a sign-in is checked against.
package struct PasswordRecords: Sendable {
    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// The account that holds an e-mail address, and the newest record of its password, in one look-up.
    ///
    /// - Returns: nil when no account holds the address, or when the holder's password has been erased or cleared.
    package func find(_ address: EmailAddress) async throws(PostgresError) -> PasswordRecord? {
        let spellings = Reservation.spellings(of: address)
        let result = try await database.query(
            """
            SELECT held.holder, newest.value
              FROM (
                SELECT r.holder
                  FROM unnest(\(spellings.map(\.digest))) WITH ORDINALITY AS asked (value, number)
                 CROSS JOIN LATERAL (
                    SELECT v.holder FROM vault.reservations v
                     WHERE v.kind = \(Reservation.Kind.email.rawValue) AND v.value = asked.value OFFSET 0
                 ) AS r
                 ORDER BY asked.number
                 LIMIT 1) held
             CROSS JOIN LATERAL (
                SELECT c.value
                  FROM vault.content c
                 WHERE c.stream = held.holder AND c.field = \(ContentField.password.rawValue)
                 ORDER BY c.position DESC
                 LIMIT 1) newest
             WHERE newest.value IS NOT NULL
            """)
        guard let row = result.first else { return nil }
        return PasswordRecord(account: try row.decode("holder"), record: try row.decode("value"))
    }

    /// Deletes the records of an account's former passwords: people use passwords elsewhere, too.
    package func forgetFormer(of account: AccountID) async throws(PostgresError) {
        let field = ContentField.password.rawValue
        try await database.query(
            """
            DELETE FROM vault.content c
             WHERE c.stream = \(account.uuid) AND c.field = \(field)
               AND c.position < (SELECT max(n.position) FROM vault.content n
                                  WHERE n.stream = \(account.uuid) AND n.field = \(field))
            """)
    }
}

/// An account and the record its password is checked against.
package struct PasswordRecord: Hashable, Sendable {
    /// The account's id.
    package let account: UUID
    /// The record, such as `scrypt$15$8$3$…`; not the password.
    package let record: String
}

extension PasswordRecord: CustomStringConvertible, CustomReflectable {
    /// The record is never printed.
    package var description: String { "PasswordRecord(\(account), redacted)" }
    /// Shows nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
