import ReadModels
import Vault

extension ExportReader {
    /// All exports, in the order in which they were first asked for.
    /// - Throws: as ``Reads/read(_:_:_:)``.
    package func all() async throws -> [ExportView] {
        try await reads.read(ExportQueries.plan) { source in
            let exports = try await ExportQueries(source.pool).all()
            let progress = try await ExportJobs(database: source.pool).progress(of: exports.map(\.id))
            return exports.map { ExportView(export: $0, progress: progress[$0.id]) }
        }.value
    }
}
