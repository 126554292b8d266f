package import FoundationEssentials

/// A dataset where another representation mentions it, with the credit that it is owed.
package struct DatasetReference: Hashable, Sendable, JSONRepresentable {
    /// The dataset's id.
    package var id: UUID
    /// Its title.
    package var title: String
    /// Who published it.
    package var publisher: String?
    /// How it wants to be cited.
    package var citation: String?

    /// Fills in everything.
    package init(id: UUID, title: String, publisher: String?, citation: String?) {
        self.id = id
        self.title = title
        self.publisher = publisher
        self.citation = citation
    }

    /// Writes all of the dataset's members.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("title", title)
            writer.field("publisher", publisher)
            writer.field("citation", citation)
        }
    }
}
