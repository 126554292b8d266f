import ArgumentParser
import Domain
import Logging
import Postgres
import Vault

/// `skein audit`
struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show who read exact places.", subcommands: [Reads.self])

    /// `skein audit reads`
    struct Reads: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the reads of exact places that are generalised or private for everyone else.",
            discussion: "One line each, tab-separated: the day (UTC), the account, the sighting.")

        @OptionGroup var options: DatabaseOptions

        @Option(help: "Only reads by this account.")
        var account: AccountID?

        @Option(help: "Only reads of this sighting.")
        var sighting: SightingID?

        func run(on database: Database, logger: Logger) async throws {
            try await database.withPool(logger: logger) {
                try await Self.print(ExactReads(database: $0), by: account, of: sighting)
            }
        }

        private static func print(
            _ reads: ExactReads, by account: AccountID?, of sighting: SightingID?
        ) async throws {
            var last: ExactReads.Reading?
            while true {
                let page = try await reads.readings(by: account, of: sighting, after: last, limit: 1000)
                for reading in page { Swift.print("\(reading.day)\t\(reading.account)\t\(reading.sighting)") }
                last = page.last
                if page.count < 1000 { return }
            }
        }
    }
}

extension AccountID: ExpressibleByArgument {}
extension SightingID: ExpressibleByArgument {}
