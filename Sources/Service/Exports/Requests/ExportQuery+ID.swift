import Domain

extension ExportQuery {
    /// The id of the export of a query with a day: the same for all who ask for it.
    func contentID(_ signer: CommandSigner) -> ExportID {
        ExportID(signer.id(of: ["export"] + canonical))
    }
}
