import ArgumentParser
import Domain
import FoundationEssentials
import Logging
import Service

/// `skein role`
struct Roles: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Manage the roles of accounts.", subcommands: [Add.self, Remove.self])

    /// The role of an account.
    struct Subject: ParsableArguments {
        @Argument(help: "The account's e-mail address.")
        var email: String

        @Argument(help: "birder, moderator, researcher or admin.")
        var role: Role

        func validate() throws {
            _ = try address()
        }

        private func address() throws -> EmailAddress {
            try EmailAddress.argument(email)
        }

        /// Changes the account, and prints the roles that it has then.
        func change(
            on database: Database, logger: Logger,
            _ change: @Sendable (AccountService, AccountID) async throws -> AccountProfile
        ) async throws {
            let address = try address()
            try await UseCases.with(database, try .find(), logger: logger) { cases in
                guard let account = try await cases.accounts.service.account(holding: address) else {
                    throw ValidationError("no account has this e-mail address")
                }
                let profile = try await change(cases.accounts.service, account)
                print("roles: " + Role.allCases.filter(profile.roles.contains).map(\.rawValue).joined(separator: ", "))
            }
        }
    }

    /// `skein role add`
    struct Add: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Grant a role to an account; this is how the first admin gets that role.")

        @OptionGroup var options: DatabaseOptions
        @OptionGroup var subject: Subject

        func run(on database: Database, logger: Logger) async throws {
            let role = subject.role
            try await subject.change(on: database, logger: logger) { accounts, account in
                try await accounts.grant(role, to: account, by: nil, key: UUID())
            }
        }
    }

    /// `skein role remove`
    struct Remove: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a role of an account; it holds everywhere within five seconds.")

        @OptionGroup var options: DatabaseOptions
        @OptionGroup var subject: Subject

        @Option(help: "The reason: resigned, inactive, misconduct or other.")
        var reason = RevocationReason.other

        func validate() throws {
            guard subject.role != .birder else { throw ValidationError("every account has the role birder") }
        }

        func run(on database: Database, logger: Logger) async throws {
            let (role, reason) = (subject.role, reason)
            try await subject.change(on: database, logger: logger) { accounts, account in
                try await accounts.revoke(
                    role, of: account, for: reason, AdministrationRequest(by: nil, key: UUID()))
            }
        }
    }
}

extension EmailAddress {
    /// The address that the argument EMAIL is.
    /// - Throws: `ValidationError`.
    static func argument(_ text: String) throws -> EmailAddress {
        do {
            return try EmailAddress(text)
        } catch {
            throw ValidationError("EMAIL \(error.message)")
        }
    }
}

extension Role: ExpressibleByArgument {}
extension RevocationReason: ExpressibleByArgument {}
