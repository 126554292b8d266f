package import Domain
package import Postgres

/// The exports that accounts wait for. Rows end with the export, by the trigger `vault.follow_export`.
package struct ExportTurns: Sendable {
    /// The outcome of asking for a turn.
    package enum Outcome: String, Sendable {
        case taken
        /// The account waits for as many exports as it may.
        case running
        /// As many exports wait to be made as may.
        case full
    }

    private let database: any PostgresQuerying

    /// Reads and writes through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// Notes that an account waits for an export. Repeating it changes nothing.
    /// - Parameters:
    ///   - own: the most exports that an account may wait for; nil for no limit.
    ///   - most: the most exports that may wait to be made; nil for no limit.
    package func take(
        _ export: ExportID, for account: AccountID, own: Int?, most: Int?
    ) async throws(PostgresError) -> Outcome {
        let text: String = try await database.query(
            """
            SELECT vault.take_export_turn(\(account.uuid), \(export.uuid), \(own.map { Int64($0) }),
                                          \(most.map { Int64($0) })) AS outcome
            """
        ).onlyRow().decode("outcome")
        guard let outcome = Outcome(rawValue: text) else {
            throw PostgresError(.decoding, "the outcome of a turn cannot be read")
        }
        return outcome
    }

    /// Ends a turn of an account that waits for an export which another account's request began.
    package func remove(_ export: ExportID, of account: AccountID) async throws(PostgresError) {
        try await database.query(
            "DELETE FROM vault.export_turns WHERE account = \(account.uuid) AND export = \(export.uuid)")
    }

    /// Gives a turn back because the request came to nothing, unless the export is to be made.
    package func giveBack(_ export: ExportID, of account: AccountID) async throws(PostgresError) {
        try await database.query(
            """
            DELETE FROM vault.export_turns t
             WHERE t.account = \(account.uuid) AND t.export = \(export.uuid)
               AND NOT EXISTS (SELECT FROM vault.jobs j WHERE j.kind = \(ExportJobs.kind) AND j.subject = t.export)
            """)
    }
}
