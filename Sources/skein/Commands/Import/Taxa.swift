import ArgumentParser
import Logging
import Service

extension Import {
    /// `skein import taxa`
    struct Taxa: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import a checklist: Skein's own table, or AviList's, plain or gzip.")

        @OptionGroup var options: DatabaseOptions

        @Argument(help: "The checklist.")
        var file: String

        func run() async throws {
            let logger = try Logger.program(normally: .warning)
            try await ImportSession.run(options, logger: logger) { session in
                let bar = ProgressBar()
                let summary = try await TaxaImport(log: session.log).run(file) { bar.show($0) }
                bar.clear()
                print(summary)
            }
        }
    }

    /// `skein import sensitivity`
    struct Sensitivity: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace the list of sensitive taxa by a table of scientificName, category, reason and source.")

        @OptionGroup var options: DatabaseOptions

        @Argument(help: "The table.")
        var file: String

        func run() async throws {
            let logger = try Logger.program(normally: .warning)
            try await ImportSession.run(options, logger: logger) { session in
                print(try await SensitivityImport(log: session.log).run(file))
            }
        }
    }
}
