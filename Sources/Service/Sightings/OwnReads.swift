import Postgres
package import ReadModels

/// Reads birders' own findings.
package struct OwnReads: Sendable {
    let reads: Reads
    let catalogue: Catalogue

    /// Reads in the client's turn; see ``Reads/read(_:_:_:)``.
    package func read<Value: Sendable>(
        _ plan: ReadPlan, _ asked: Asked, _ body: @escaping @Sendable (FindingReader) async throws -> Value
    ) async throws -> Shown<Value> {
        try await reads.read(plan, asked) { [catalogue] source in
            try await body(FindingReader(source.pool, catalogue: catalogue))
        }
    }
}
