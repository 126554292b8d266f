package import Domain
package import Exchange
package import ReadModels

extension BulkReader {
    /// Writes all records as one text, in parts of some 64 KiB. The parts together are the same bytes for the same
    /// query, moment, format and address, whoever reads them.
    /// - Parameters:
    ///   - encoder: that of the format.
    ///   - baseURL: the service's public address, without a slash at its end; nil for no addresses.
    /// - Returns: how many control characters became spaces.
    /// - Throws: what the database or `write` throws.
    @discardableResult
    package func writeText(
        of query: BulkQuery, asOf moment: PublicMoment, with encoder: any OccurrenceEncoder, baseURL: String?,
        to write: ([UInt8]) async throws -> Void
    ) async throws -> Int {
        var encoder = encoder
        var part: [UInt8] = []
        part.reserveCapacity(Self.partSize * 2)
        encoder.begin(into: &part)
        try await eachBatch(query, asOf: moment) { records in
            for record in records {
                encoder.append(record.occurrence(baseURL: baseURL), to: &part)
                guard part.count >= Self.partSize else { continue }
                try await write(part)
                part.removeAll(keepingCapacity: true)
            }
        }
        encoder.end(into: &part)
        if !part.isEmpty { try await write(part) }
        return encoder.replacedCharacters
    }

    private static let partSize = 65_536
}
