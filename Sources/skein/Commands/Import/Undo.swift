import ArgumentParser
import Domain
import Logging
import Service

extension Import {
    /// `skein import undo`
    struct Undo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Withdraw, by events, every record that an import brought or touched last.")

        @OptionGroup var options: DatabaseOptions

        @Argument(help: "The import's id, as its summary printed it.")
        var batch: String

        func run() async throws {
            guard let batch = BatchID(batch) else { throw ValidationError("BATCH must be a UUID") }
            let logger = try Logger.program(normally: .warning)
            try await ImportSession.run(options, logger: logger) { session in
                let bar = ProgressBar()
                let summary = try await ImportUndo(log: session.log).run(batch) { bar.show($0) }
                bar.clear()
                print(summary)
            }
        }
    }
}
