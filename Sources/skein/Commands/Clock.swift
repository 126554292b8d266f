import ArgumentParser
import EventLog
import FoundationEssentials
import Logging
import Postgres

/// `skein clock`
struct Clock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Manage the clock by which events are recorded.", subcommands: [Accept.self])

    /// `skein clock accept`
    struct Accept: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Accept the database's clock, however far ahead of the last time accepted it is.",
            discussion: "Times in the log never go back: compare the times that are printed with the real one first.")

        @OptionGroup var options: DatabaseOptions

        func run(on database: Database, logger: Logger) async throws {
            let owner = try await PostgresConnection.connect(database.owner, logger: logger)
            try await Self.accept(owner)
            await owner.close()
        }

        /// Prints the clocks, accepts the database's, and reports whether appends are still rejected.
        static func accept(_ owner: PostgresConnection) async throws {
            let before = try await LogClock.read(owner)
            try await LogClock.accept(owner)
            print(Clock.lines(before))
            if let fault = try await LogClock.read(owner).fault { print("still rejected: \(fault)") }
        }
    }

    /// The three times.
    static func lines(_ clock: LogClock) -> String {
        """
        database       \(clock.database.ISO8601Format())
        this process   \(clock.process.ISO8601Format())
        last accepted  \(clock.accepted.ISO8601Format())
        """
    }
}
