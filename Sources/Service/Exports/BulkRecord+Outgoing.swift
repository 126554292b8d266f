import Domain
import Exchange
import ReadModels

/// A record as a format has it: an archive has rows of extensions, too.
struct OutgoingRecord: Hashable, Sendable {
    var occurrence: OutgoingOccurrence
    var media: [OutgoingMedia] = []
    var identifications: [OutgoingIdentification] = []
    var measurements: [OutgoingMeasurement] = []
    var hashes: [OutgoingFileHash] = []
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
        record.hashes = hashes(at: baseURL)
        return record
    }

    /// Its public photos.
    private func media(at address: String?) -> [OutgoingMedia] {
        guard let address else { return [] }
        return record.photos.map { photo in
            OutgoingMedia(
                identifier: photo.address(at: address), licence: photo.licence?.legalCode,
                creator: record.observerName)
        }
    }

    private func hashes(at address: String?) -> [OutgoingFileHash] {
        guard let address else { return [] }
        return record.photos.compactMap { photo in
            photo.sha256.map { OutgoingFileHash(identifier: photo.address(at: address), sha256: $0.text) }
        }
    }
}

extension RecordPhoto {
    /// The address of its large rendition.
    /// - Parameter baseURL: the service's public address, without a slash at its end.
    func address(at baseURL: String) -> String { "\(baseURL)/v1/photos/\(id)/\(RenditionName.large.rawValue)" }
}
