import ArgumentParser
import Logging

/// `skein migrate`
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Apply pending migrations and create the read models' tables; `serve` does so too.")

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let logger = try Logger.program()
        try await Database.with(options, logger: logger) { try await $0.migrate(try .find(), logger: logger) }
    }
}
