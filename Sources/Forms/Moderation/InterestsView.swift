package import Domain
package import JSON

/// The regions and taxa that a moderator usually works on.
package struct InterestsView: JSONRepresentable {
    let interests: ModeratorInterests

    package init(interests: ModeratorInterests) {
        self.interests = interests
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("regions", interests.regions.map(\.text))
            writer.field("taxa", interests.taxa.map(\.description))
        }
    }
}
