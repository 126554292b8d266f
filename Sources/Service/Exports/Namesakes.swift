import Domain
import EventLog
import FoundationEssentials
import Vault

/// Finds the records that have the same original id, by their public ids: an original id is kept only if no other
/// record of the answer has it.
///
/// The stream of an imported record derives from its dataset and its original id, and is the public id of a record that
/// is not generalised. A record without an original id has one made of its public id, and that may be the original id
/// of another record, which someone made of an earlier answer.
struct Namesakes: Sendable {
    let signer: CommandSigner
    /// Those whose records may be in the answer.
    let datasets: [DatasetID]

    /// The records that take an original id from a record while they are in the answer.
    func rivals(of record: SightingID, _ original: String, in dataset: DatasetID) -> [SightingID] {
        var ids = copies(of: original, in: dataset)
        if let id = BulkRecord.id(urn: original), id != record { ids.append(id) }
        return ids
    }

    /// The records that lose their original ids to a record while it is in the answer.
    /// - Parameter original: that of an imported record.
    func losers(to record: SightingID, _ original: (id: String, dataset: DatasetID)?) -> [SightingID] {
        var ids = original.map { copies(of: $0.id, in: $0.dataset) } ?? []
        for text in BulkRecord.writings(urn: record) {
            ids += datasets.map { SightingID(signer.occurrence(text, in: $0)) }
        }
        return ids
    }

    /// Within one dataset an id is that of one record.
    private func copies(of original: String, in dataset: DatasetID) -> [SightingID] {
        datasets.filter { $0 != dataset }.map { SightingID(signer.occurrence(original, in: $0)) }
    }
}
