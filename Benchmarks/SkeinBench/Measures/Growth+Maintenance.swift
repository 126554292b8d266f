import EventLog
import Foundation
import Postgres

/// An operator's work on the log, and how long it takes.
extension Growth {
    /// The times compared at either size.
    struct Maintenance {
        /// Seconds of `skein verify`.
        var verification: Double
        /// Milliseconds from redacting the registration of an account until all read models have followed.
        var redaction: Double
    }

    /// Registers accounts with five findings each, for redactions at either size.
    func registerAccounts(_ log: ServedLog) async throws -> (redactedBefore: [UUID], redacted: [UUID]) {
        var accounts: [UUID] = []
        for _ in 0..<laboratory.plan.pairs * 2 {
            let birder = APIClient.Birder()
            accounts.append(try await log.service.client.register(birder))
            try await submitFindings(5, of: try await log.service.client.signedIn(birder))
        }
        return (Array(accounts[..<laboratory.plan.pairs]), Array(accounts[laboratory.plan.pairs...]))
    }

    /// Verifies three times and redacts each account, and takes the medians.
    func maintenance(_ log: ServedLog, _ accounts: [UUID]) async throws -> Maintenance {
        try await log.service.waitUntilFollowed()
        return try await laboratory.withConnection(try laboratory.owner(database)) { connection in
            try await connection.query("vacuum analyze")
            var (verifications, redactions): ([Double], [Double]) = ([], [])
            for _ in 0..<3 { verifications.append(try await verification()) }
            for account in accounts { redactions.append(try await redaction(of: account, connection)) }
            show("verified in \(verifications.median.short) s (\(verifications.spread))")
            show("redacted in \(redactions.median.short) ms (\(redactions.spread))")
            return Maintenance(verification: verifications.median, redaction: redactions.median)
        }
    }

    private func verification() async throws -> Double {
        try await AppendLoad.timed {
            try await laboratory.skein.run(
                ["verify"], environment: laboratory.environment(database), in: laboratory.folder)
        }.seconds
    }

    private func redaction(of account: UUID, _ owner: PostgresConnection) async throws -> Double {
        let row = try await owner.query("select position from log.events where stream = \(account) and version = 1")
            .onlyRow()
        let position: Int64 = try row.decode("position")
        let took = try await AppendLoad.timed {
            let redacted = try await Redaction.redact(position: position, reason: "personal-data", owner)
            while try await followed(owner) < redacted { try await Task.sleep(for: .milliseconds(1)) }
        }
        return took.seconds * 1_000
    }

    /// The position that all read models have reached.
    private func followed(_ owner: PostgresConnection) async throws -> Int64 {
        try await owner.query("select min(position) as position from model.checkpoints").onlyRow().decode("position")
    }
}
