import Testing

@testable import Postgres

struct PostgresErrorTests {
    private let unique = PostgresError(
        server: ServerReport(
            severity: "ERROR", sqlState: .uniqueViolation,
            message: "duplicate key value violates unique constraint \"accounts_email_key\"",
            detail: "Key (email)=(ada@example.org) already exists.",
            context: "COPY accounts, line 1: \"ada@example.org\"",
            schema: "vault", table: "accounts", constraint: "accounts_email_key")
    ).attributed(query: "INSERT INTO accounts VALUES ($1)", caller: CallSite(file: "Vault/Accounts.swift", line: 12))

    @Test func `the description gives nothing away`() {
        #expect("\(unique)" == "The database rejected a statement.")
    }

    @Test func `the debug description has all but values`() {
        let text = String(reflecting: unique)
        for part in ["23505", "accounts_email_key", "vault", "INSERT INTO accounts", "Vault/Accounts.swift:12"] {
            #expect(text.contains(part), "\(part) is missing")
        }
        #expect(!text.contains("ada@example.org"))
        #expect(unique.detail?.contains("ada@example.org") == true)
    }

    @Test func `dumping gives no more away`() {
        var text = ""
        dump(unique, to: &text)
        #expect(!text.contains("ada@example.org"))
    }

    @Test func `a quoted value is cut out of the message`() {
        let error = PostgresError(
            server: ServerReport(
                severity: "ERROR", sqlState: "22P02", message: "invalid input syntax for type uuid: \"secret\""))
        #expect(String(reflecting: error).contains("invalid input syntax for type uuid"))
        #expect(!String(reflecting: error).contains("secret"))
    }

    @Test(arguments: [
        ("08006", true), ("57P01", true), ("57P02", true), ("57P03", true), ("57014", false), ("23505", false),
    ])
    func `loss of connection is recognised by state`(state: String, isLoss: Bool) {
        let report = ServerReport(severity: "FATAL", sqlState: SQLState(rawValue: state), message: "")
        #expect(PostgresError(server: report).isConnectionLoss == isLoss)
    }

    @Test func `end of file is a loss of connection`() {
        #expect(PostgresError(.connectionLost, "").isConnectionLoss)
        #expect(!PostgresError(.decoding, "").isConnectionLoss)
    }
}
