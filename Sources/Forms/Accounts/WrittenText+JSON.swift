package import Domain
package import JSON

extension WrittenText: JSONRepresentable {
    /// Writes a text for the account that typed it.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("recordedAt", recordedAt)
            writer.field("subject", subject)
            writer.field("id", id)
            writer.field("field", field)
            writer.field("text", text)
        }
    }
}
