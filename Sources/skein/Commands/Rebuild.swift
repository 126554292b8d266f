import ArgumentParser
import EventLog
import Logging
import ReadModels

/// `skein rebuild`
struct Rebuild: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Rebuild read models from the log, beside those in use, and swap them in.")

    @OptionGroup var options: DatabaseOptions

    @Argument(help: "The read model to rebuild (default: all).")
    var model: String?

    func validate() throws {
        guard let model, !ReadModel.all.contains(where: { $0.name == model }) else { return }
        let names = ReadModel.all.map(\.name).joined(separator: ", ")
        throw ValidationError("there is no read model \(model); the read models are \(names)")
    }

    func run() async throws {
        let logger = try Logger.program()
        let models = ReadModel.all.filter { model == nil || $0.name == model }
        try await Database.with(options, logger: logger) { database in
            try await database.withPool(logger: logger) { pool in
                for model in models {
                    let position = try await ModelRebuilder(pool, logger: logger).rebuild(model)
                    print("\(model.schema) is rebuilt up to position \(position)")
                }
            }
        }
    }
}
