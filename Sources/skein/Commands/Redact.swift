import ArgumentParser
import Domain
import EventLog
import Logging
import Postgres

/// `skein redact`
struct Redact: DatabaseCommand {
    static let configuration = CommandConfiguration(
        abstract: "Permanently replace one event's payload with a tombstone. This cannot be undone.")

    @OptionGroup var options: DatabaseOptions

    @Option(help: "The event's position.")
    var position: Int64

    @Option(help: "The reason: personal-data, legal or place.")
    var reason: RedactionReason

    func run(on database: Database, logger: Logger) async throws {
        let owner = try await PostgresConnection.connect(database.owner, logger: logger)
        let recorded = try await Redaction.redact(position: position, reason: reason.rawValue, owner)
        await owner.close()
        print("position \(position) is redacted; PayloadRedacted is at position \(recorded)")
    }
}

extension RedactionReason: ExpressibleByArgument {}
