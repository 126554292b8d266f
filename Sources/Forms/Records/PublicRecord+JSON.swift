import Domain
package import JSON
import ReadModels
package import Service

extension PublicRecord: JSONRepresentable {
    /// Whether there is enough of it to show.
    package var isComplete: Bool {
        row.status != nil
            && (row.kind == .tombstone || row.observed != nil && row.localFrom != nil && row.localTo != nil)
    }

    /// A sighting as anyone sees it, or what is left of a withdrawn one.
    package func write(to writer: inout JSONWriter) {
        writer.object { write(members: &$0) }
    }

    /// Writes it as members of an object.
    func write(members writer: inout JSONWriter) {
        if row.kind == .tombstone {
            writeWithdrawalNotice(&writer)
        } else {
            writeObservation(&writer)
            writePlace(&writer)
            writeRecord(&writer)
        }
    }

    private func writeObservation(_ writer: inout JSONWriter) {
        writer.field("id", row.id)
        writer.field("taxon", taxon)
        writer.field("verbatimName", verbatimName)
        writer.field("count", row.count)
        writer.field("countRange", row.countRange)
        writer.field("confidence", row.confidence)
        writer.field("observedAt", row.observed?.description)
        writer.field("observedFrom", row.localFrom)
        writer.field("observedTo", row.localTo)
    }

    private func writePlace(_ writer: inout JSONWriter) {
        writer.field("latitude", row.coordinate?.latitude)
        writer.field("longitude", row.coordinate?.longitude)
        writer.field("uncertaintyMetres", row.uncertainty)
        writer.field("coordinatePrecision", row.decimals.map { [0.1, 0.01, 0.001][min(max($0, 1), 3) - 1] })
        writer.field("state", row.state)
        writer.field("region", row.region)
        writer.field("country", row.country)
    }

    private func writeRecord(_ writer: inout JSONWriter) {
        writer.field("status", row.status)
        writer.field("captive", row.captive ?? false)
        writer.field("licence", row.licence)
        writer.field("observer", row.observer.map { Observer(id: $0, displayName: observerName) })
        writer.field("dataset", row.dataset.map { Dataset(id: $0, title: datasetTitle ?? "") })
        writer.field("notes", notes)
        writer.field("protocol", row.surveyProtocol)
        writer.field("photos", photos.map { RecordPhotoView(photo: $0, credit: observerName) })
        // Not even the day of a guarded record may be shown.
        writer.field("recordedOn", row.version == nil ? nil : row.submittedAt?.date())
    }

    private func writeWithdrawalNotice(_ writer: inout JSONWriter) {
        writer.field("id", row.id)
        writer.field("taxon", taxon)
        writer.field("status", row.status)
        writer.field("reason", row.withdrawal?.rawValue ?? row.rejection?.rawValue ?? "")
        writer.field("observedAt", row.observed?.description ?? "")
        writer.field("recordedOn", row.submittedAt?.date())
        writer.field("endedOn", row.recordedAt?.date())
    }
}

/// The observer, under the public name of their choice.
private struct Observer: JSONRepresentable {
    let id: ObserverID
    /// nil for anonymous.
    let displayName: String?

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("displayName", displayName)
        }
    }
}

/// The dataset that a record was imported with. Publisher and citation are members of the document that no answer has.
private struct Dataset: JSONRepresentable {
    let id: DatasetID
    let title: String

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("title", title)
            writer.field("publisher", nil as String?)
            writer.field("citation", nil as String?)
        }
    }
}
