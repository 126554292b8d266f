import ArgumentParser
import EventLog
import Logging

/// `skein verify`
struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prove that the log is whole: reads all of it, prints what was checked on how much.")

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let logger = try Logger.program(normally: .warning)
        let verification = try await Database.with(options, logger: logger) { database in
            try await database.withPool(logger: logger) { try await LogVerification.run($0) }
        }
        print("head \(verification.head)")
        for check in verification.checks {
            let verdict = check.broken == 0 ? "ok    " : "BROKEN"
            print("\(verdict)  \(check.name): \(check.examined) examined, \(check.broken) broken")
        }
        guard verification.isSound else { throw ExitCode(1) }
    }
}
