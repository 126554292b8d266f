import Domain
import Exchange
import ReadModels

/// A record as a format has it: an archive has rows of extensions, too.
struct OutgoingRecord: Hashable, Sendable {
    var occurrence: OutgoingOccurrence
    var media: [OutgoingMedia] = []
    var identifications: [OutgoingIdentification] = []
    var measurements: [OutgoingMeasurement] = []
}

extension BulkRecord {
    /// The record as a format has it.
    /// - Parameter baseURL: the service's public address, without a slash at its end; nil for no addresses.
    func outgoing(as format: ExportFormat, baseURL: String?) -> OutgoingRecord {
        var record = OutgoingRecord(occurrence: occurrence(baseURL: baseURL, for: format))
        guard format == .dwca else { return record }
        record.media = media(at: baseURL)
        record.identifications = outgoingIdentifications
        record.measurements = self.record.row.confidence.map { [.confidence($0)] } ?? []
        return record
    }

    /// Its public photos.
    private func media(at address: String?) -> [OutgoingMedia] {
        guard let address else { return [] }
        return record.photos.map { photo in
            OutgoingMedia(
                identifier: "\(address)/v1/photos/\(photo.id)/\(RenditionName.large.rawValue)",
                licence: photo.licence?.legalCode, creator: record.observerName)
        }
    }
}
