/// Why a dataset command may be refused.
package enum DatasetRejection: Error, Equatable, Sendable {
    /// There is no such dataset.
    case notFound
    /// The dataset has no such import.
    case unknownBatch(BatchID)
    /// The import was undone; its rows can only come in with another one.
    case batchUndone(BatchID)
    /// The import's totals were told before and were others.
    case alreadyFinished(BatchID)
}
