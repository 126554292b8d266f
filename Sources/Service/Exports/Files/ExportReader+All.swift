import ReadModels

extension ExportReader {
    /// All exports, in the order in which they were first asked for.
    /// - Throws: as ``Reads/read(_:_:_:)``.
    package func all() async throws -> [ExportView] {
        try await reads.read(ExportQueries.plan) { source in
            try await views(of: try await ExportQueries(source.pool).all(), source.pool)
        }.value
    }
}
