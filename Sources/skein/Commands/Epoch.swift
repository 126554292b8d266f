import ArgumentParser
import EventLog
import Logging
import Postgres

/// `skein epoch`
struct Epoch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Manage the log's epoch, which changes when the log may have lost acknowledged events.",
        subcommands: [New.self])

    /// `skein epoch new`
    struct New: DatabaseCommand {
        static let configuration = CommandConfiguration(abstract: "Begin a new epoch, after a restore or a failover.")

        @OptionGroup var options: DatabaseOptions

        func run(on database: Database, logger: Logger) async throws {
            let owner = try await PostgresConnection.connect(database.owner, logger: logger)
            let clock = try await LogClock.read(owner)
            let epoch = try await LogEpoch.begin(owner)
            await owner.close()
            print(Clock.lines(clock))
            print("epoch \(epoch) has begun; running processes end with status 75, to be started again")
        }
    }
}
