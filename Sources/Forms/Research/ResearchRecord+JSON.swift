import Domain
package import JSON
package import Service

extension ResearchRecord: JSONRepresentable {
    /// A public record, and the reasons for which it is rejected.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            record.write(members: &writer)
            writer.field("reasons", reasons)
        }
    }
}
