import Domain
package import Exchange
import FoundationEssentials
import ReadModels

extension BulkRecord {
    /// Its identifications in Darwin Core terms, made of its public history and the record itself.
    package var outgoingIdentifications: [OutgoingIdentification] {
        identifications.map { identification in
            let (taxon, state) = (identification.taxon, identification.state)
            var row = OutgoingIdentification(scientificName: taxon.summary.scientificName)
            row.id = "\(Self.urn(record.row.id))#\(state.version)"
            row.authorship = taxon.authorship
            row.rank = taxon.summary.rank.rawValue
            row.taxonID = taxon.summary.id.description
            row.verificationStatus = identification.status?.rawValue
            if identification.isCurrent { row.qualifier = record.row.qualifier?.written }
            if identification.isMadeThere {
                row.identifiedBy = author(of: identification)
                row.date = state.recordedAt.date().description
                row.remarks = identification.kind.rawValue
            }
            return row
        }
    }

    /// The observer's public name, or the moderator's number; nil for an anonymous observer, and for imports.
    private func author(of identification: BulkIdentification) -> String? {
        let state = identification.state
        if let moderator = state.moderator { return "moderator \(moderator)" }
        return state.isImported ? nil : record.observerName
    }
}
