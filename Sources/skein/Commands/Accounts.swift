import ArgumentParser
import Domain
import Foundation
import Logging
import Service

/// `skein account`
struct Accounts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Manage accounts.", subcommands: [Erase.self])

    /// `skein account erase`
    struct Erase: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Erase an account permanently, with its text and photos.",
            discussion: """
                For people who cannot log in, and for accounts that left after the backup that was restored. The \
                account loses its identity and all access at once; `skein serve` does the rest within minutes.
                """)

        @OptionGroup var options: DatabaseOptions

        @Argument(help: "The account's e-mail address.")
        var email: String?

        @Option(help: "The account's id, instead of the address.")
        var id: AccountID?

        @Option(help: "Its sightings: keep (without observer, visit, notes, photos) or withdraw (for privacy).")
        var sightings: LeavingChoice

        func validate() throws {
            guard (email == nil) != (id == nil) else { throw ValidationError("give either EMAIL or --id") }
            _ = try address()
        }

        private func address() throws -> EmailAddress? {
            try email.map { try EmailAddress.argument($0) }
        }

        func run(on database: Database, logger: Logger) async throws {
            let (id, address, sightings) = (id, try address(), sightings)
            try await UseCases.with(database, try .find(), logger: logger) { cases in
                var account = id
                if let address { account = try await cases.accounts.service.account(holding: address) }
                guard let account else { throw ValidationError("no account has this e-mail address") }
                do {
                    try await cases.leaving.service.erase(account, sightings: sightings)
                } catch CommandError.notFound {
                    throw ValidationError("there is no account with this id")
                }
                print("account \(account) is erased; skein serve removes what is left of it within minutes")
            }
        }
    }
}

extension LeavingChoice: ExpressibleByArgument {}
