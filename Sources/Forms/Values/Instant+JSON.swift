package import Domain
package import JSON

extension Instant: JSONRepresentable {
    /// RFC 3339 in UTC.
    package func write(to writer: inout JSONWriter) { writer.string(description) }
}

extension CivilDate: JSONRepresentable {
    /// "2026-05-01".
    package func write(to writer: inout JSONWriter) { writer.string(description) }
}
