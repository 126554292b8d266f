import ArgumentParser
import Domain
import Imports
import Logging
import Service

/// `skein dataset`
struct Datasets: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dataset", abstract: "Manage datasets.", subcommands: [Describe.self])

    /// `skein dataset describe`
    struct Describe: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change the title or the credits of a dataset.",
            discussion: """
                Prints the resulting title and credits. Responses and exports as of earlier days keep the former \
                ones. A former title stays reserved: no other dataset can get it, and an import that names it goes \
                into this dataset. The licence, and whether the records may be passed on, cannot be changed.
                """)

        @OptionGroup var options: DatabaseOptions

        @Argument(help: "The dataset: its id, or a current or former title.")
        var dataset: String

        @Option(help: "The new title.")
        var title: String?

        @Option(help: "The new publisher; an empty text removes it.")
        var publisher: String?

        @Option(help: "The new citation; an empty text removes it.")
        var citation: String?

        @Option(help: "The new rights holder; an empty text removes it.")
        var rightsHolder: String?

        func validate() throws {
            guard [title, publisher, citation, rightsHolder].contains(where: { $0 != nil }) else {
                throw ValidationError("give at least one of --title, --publisher, --citation and --rights-holder")
            }
            _ = try command()
        }

        func run(on database: Database, logger: Logger) async throws {
            let (dataset, command) = (dataset, try command())
            try await UseCases.with(database, try .find(), logger: logger) { cases in
                print(try await DatasetDescription(log: cases.imports).run(dataset, command))
            }
        }

        private func command() throws -> DescribeDataset {
            var command = DescribeDataset()
            do {
                command.title = try title.map(DatasetTitle.init)
            } catch {
                throw ValidationError("--title \(error.message)")
            }
            command.publisher = try Self.change("--publisher", to: publisher)
            command.citation = try Self.change("--citation", to: citation)
            command.rightsHolder = try Self.change("--rights-holder", to: rightsHolder)
            return command
        }

        private static func change(_ option: String, to text: String?) throws -> Change<CreditLine> {
            guard let text else { return .unset }
            guard !text.isEmpty else { return .cleared }
            do {
                return .set(try CreditLine(text))
            } catch {
                throw ValidationError("\(option) \(error.message)")
            }
        }
    }
}
