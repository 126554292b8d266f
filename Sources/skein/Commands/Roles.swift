import ArgumentParser
import Domain
import FoundationEssentials
import Logging
import Service

/// `skein role`
struct Roles: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Manage the roles of accounts.", subcommands: [Add.self])

    /// `skein role add`
    struct Add: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Grant a role to an account; this is how the first admin gets that role.")

        @OptionGroup var options: DatabaseOptions

        @Argument(help: "The account's e-mail address.")
        var email: String

        @Argument(help: "birder, moderator, researcher or admin.")
        var role: Role

        func validate() throws {
            _ = try address()
        }

        func run(on database: Database, logger: Logger) async throws {
            let address = try address()
            try await UseCases.with(database, try .find(), logger: logger) { cases in
                guard let account = try await cases.accounts.account(holding: address) else {
                    throw ValidationError("no account has this e-mail address")
                }
                let profile = try await cases.accounts.grant(role, to: account, by: nil, key: UUID())
                print("roles: " + Role.allCases.filter(profile.roles.contains).map(\.rawValue).joined(separator: ", "))
            }
        }

        private func address() throws -> EmailAddress {
            do {
                return try EmailAddress(email)
            } catch {
                throw ValidationError("EMAIL \(error.message)")
            }
        }
    }
}

extension Role: ExpressibleByArgument {}
