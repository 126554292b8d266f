package import Domain
import EventLog
import Exchange
import Postgres
package import ReadModels

extension PublicReads {
    /// All records that meet a filter and may be passed on, which may be read once. The turn ends with it.
    package struct BulkStream: Sendable {
        let reader: BulkReader
        let publicURL: String?
        let turn: FairTurns.Turn
        package let moment: PublicMoment

        /// Writes the records as one text: the bytes of an export as of the same moment. For ten minutes at most,
        /// because others wait for the turn.
        /// - Throws: ``ReadingTimeout``; what the database or `write` throws.
        package func write(
            _ query: BulkQuery, as format: ExportFormat, to write: ([UInt8]) async throws -> Void
        ) async throws {
            defer { turn.end() }
            guard let encoder = format.encoder else { return }
            let end = ContinuousClock.now + ReadingTimeout.limit
            // Not on the event loop of the client: other requests on it would wait for every batch.
            _ = try await withTaskExecutorPreference(globalConcurrentExecutor) {
                try await reader.writeText(of: query, asOf: moment, with: encoder, baseURL: publicURL) { part in
                    guard ContinuousClock.now < end else { throw ReadingTimeout() }
                    try await write(part)
                }
            }
        }
    }

    /// All records of a bulk answer, when the client's turn comes; they are sent while they are read.
    /// - Parameter moment: the moment of the answer, from the one that meets what is asked for.
    /// - Throws: ``FairTurns/Rejection``, ``ModelBehind``, ``DayNotOver``; what the database throws.
    package func bulkStream(
        _ asked: Asked, at moment: (PublicMoment) -> PublicMoment = { $0 }
    ) async throws -> BulkStream {
        let turn = try await streams.begin(by: TurnClient.address)
        do {
            // After the wait for the turn, so that restrictions that began meanwhile apply.
            let source = try await reads.source(BulkReader.plan, asked)
            let reader = BulkReader(source.pool, signer: signer) { [log = reads.log] in
                BulkReader.plan.models.map { log.position(of: $0.name) }.min() ?? 0
            }
            return BulkStream(reader: reader, publicURL: publicURL, turn: turn, moment: moment(source.moment))
        } catch {
            turn.end()
            throw error
        }
    }
}
