import EventLog
import Postgres
import ReadModels

/// Reads birders' own findings on whatever server has what they must show.
package struct OwnReads: Sendable {
    let router: ReadRouter
    let catalogue: Catalogue

    /// - Parameters:
    ///   - position: one that the answer must show; the primary's model has reached it.
    ///   - body: may be done twice; it is told the position that its answer shows at least.
    package func read<Value: Sendable>(
        seeing position: Int64, _ body: @escaping @Sendable (FindingReader, Int64) async throws -> Value
    ) async throws -> Value {
        try await router.read(.sightingsExact, seeing: position) { [catalogue] source in
            try await body(FindingReader(source.pool, catalogue: catalogue), source.position)
        }
    }
}
