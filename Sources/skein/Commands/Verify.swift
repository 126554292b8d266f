import ArgumentParser
import EventLog
import Logging

/// `skein verify`
struct Verify: DatabaseCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check the integrity of the log: read all of it, and print the result of each check.")

    @OptionGroup var options: DatabaseOptions

    func run(on database: Database, logger: Logger) async throws {
        let verification = try await database.withPool(logger: logger) { try await LogVerification.run($0) }
        print("head \(verification.head)")
        for check in verification.checks {
            let verdict = check.broken == 0 ? "ok    " : "BROKEN"
            print("\(verdict)  \(check.name): \(check.examined) examined, \(check.broken) broken")
        }
        guard verification.isSound else { throw ExitCode(1) }
    }
}
