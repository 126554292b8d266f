package import Domain
import JSON
package import NIOCore
package import ReadModels

/// Every record of a map as a GeoJSON text sequence: a feature on each line, after a record separator.
/// - Source: RFC 8142.
package struct FeatureSequence {
    package static let contentType = "application/geo+json-seq"

    private var taxa = TaxonBytes()

    package init() {}

    /// The lines of some records.
    /// - Parameter names: the names of their taxa, the same for all records of the sequence.
    package mutating func lines(_ points: [MapAnswer.Point], _ names: TaxonSummaries) -> ByteBuffer {
        var buffer = ByteBuffer()
        for point in points {
            var writer = JSONWriter(capacity: 512)
            point.write(to: &writer, taxon: taxa.bytes(of: point.taxon, names))
            buffer.writeInteger(UInt8(0x1E))
            buffer.writeBytes(writer.bytes)
            buffer.writeInteger(UInt8(ascii: "\n"))
        }
        return buffer
    }
}

/// The summaries of taxa as JSON: a map has many points and few taxa, and each is looked up and written once.
struct TaxonBytes {
    private var known: [TaxonID?: [UInt8]] = [:]

    mutating func bytes(of taxon: TaxonID?, _ names: TaxonSummaries) -> [UInt8] {
        if let bytes = known[taxon] { return bytes }
        let summary = taxon.flatMap { names.summary(of: $0) }
        let bytes = summary.map { JSONWriter.bytes(of: $0) } ?? Array("null".utf8)
        known[taxon] = bytes
        return bytes
    }
}
