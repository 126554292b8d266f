import Domain
import FoundationEssentials

extension ExportQuery {
    /// The id of the export of a query with a day: the same for all who ask for it.
    func contentID(_ signer: CommandSigner) -> ExportID {
        ExportID(signer.id(of: ["export"] + canonical))
    }

    /// The id of the dataset that an archive is a version of: the same for the same filter, on every day. A release
    /// with other output, or another contact, makes no other dataset.
    func datasetID(_ signer: CommandSigner) -> UUID {
        signer.id(of: ["export dataset", filter.canonical])
    }
}
