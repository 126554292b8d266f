internal import Domain
package import JSON

extension JSONLimits {
    /// Largest body of a request: 64 KiB. The largest sighting, with notes, takes a third of it.
    package static let request = JSONLimits(depth: 16, bytes: 64 * 1024)
    /// Largest body of a batch of up to 100 sightings: 1 MiB.
    package static let batch = JSONLimits(depth: 16, bytes: 1024 * 1024)
}

extension Instant: JSONRepresentable {
    /// RFC 3339 in UTC.
    package func write(to writer: inout JSONWriter) { writer.string(description) }
}

extension CivilDate: JSONRepresentable {
    /// "2026-05-01".
    package func write(to writer: inout JSONWriter) { writer.string(description) }
}
