import ArgumentParser
import EventLog
import FoundationEssentials
import Logging
import ReadModels
import Service

/// `skein status`
struct Status: DatabaseCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the state of the log and of the read models as a table.")

    @OptionGroup var options: DatabaseOptions

    func run(on database: Database, logger: Logger) async throws {
        let (status, processes) = try await database.withPool(logger: logger) { pool in
            let keeper = PartitionKeeper(pool, logger: logger)
            let standbys = (try? await database.standbys(of: pool, logger: logger)) ?? []
            await StandbyMonitor(standbys, primary: pool, interval: .milliseconds(200), logger: logger).look()
            let status = try await StatusReporter(
                pool: pool, appender: nil, epoch: nil, standbys: standbys, models: ReadModel.all, partitions: keeper,
                migrator: Installation.find().migrator(logger: logger)
            ).status()
            return (status, status.failure == nil ? try await ListedProcess.all(pool) : [])
        }
        if let failure = status.failure.flatMap({ DatabaseFailure($0) }) {
            print("database  \(failure)")
            throw ExitCode(1)
        }
        print("epoch     \(status.epoch ?? 0)\nhead      \(status.head)")
        if let recordedAt = status.recordedAt { print("recorded  \(recordedAt.ISO8601Format())") }
        print("clock     \(status.clock?.fault ?? "accepted")")
        print("schema    \(status.schemaFault ?? Self.schema(newer: status.newerMigrations))")
        print("spare     \(status.emptyPartitions) empty partitions\n")
        print(Self.row("model", "position", "lag", "state"))
        for model in status.models { print(Self.row(model)) }
        for standby in status.standbys {
            print("standby   \(standby.name): \(standby.detail)")
        }
        print("\n" + Self.row("process", "started", "", "seen"))
        for process in processes { print(Self.row(process)) }
    }

    private static func schema(newer: [String]) -> String {
        newer.isEmpty ? "up to date" : "of a newer program: " + newer.joined(separator: ", ")
    }

    private static func row(_ model: ModelStatus) -> String {
        guard let position = model.position else { return row(model.name, "-", "-", "not installed") }
        return row("\(model.name)_v\(model.version)", "\(position)", "\(model.lag)", model.fault ?? "following")
    }

    private static func row(_ process: ListedProcess) -> String {
        row(process.name, process.startedAt.ISO8601Format(), "", process.seenAt.ISO8601Format())
    }

    private static func row(_ name: String, _ position: String, _ lag: String, _ state: String) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        return padded(name, 24) + padded(position, 22) + padded(lag, 10) + state
    }
}
