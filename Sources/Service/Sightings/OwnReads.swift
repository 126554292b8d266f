import EventLog
import Postgres
import ReadModels

/// Reads birders' own findings on any server that has reached the position that they must reflect.
package struct OwnReads: Sendable {
    let router: ReadRouter
    let catalogue: Catalogue
    let turns: FairTurns

    /// - Parameters:
    ///   - position: the answer must reflect it; the primary's model has reached it.
    ///   - body: may be called twice. Its argument is a position that the answer reflects at least.
    package func read<Value: Sendable>(
        seeing position: Int64, _ body: @escaping @Sendable (FindingReader, Int64) async throws -> Value
    ) async throws -> Value {
        try await turns.take(by: TurnClient.address) {
            try await router.read(.sightingsExact, with: [.photos, .moderation], seeing: position) {
                [catalogue] source in
                try await body(FindingReader(source.pool, catalogue: catalogue), source.position)
            }
        }
    }
}
