package import FoundationEssentials

/// A taxon where another representation mentions it.
package struct TaxonReference: Hashable, Sendable, JSONRepresentable {
    /// The taxon's id.
    package var id: UUID
    /// Its accepted scientific name.
    package var scientificName: String
    /// Its preferred common name, where it has one in the language of the answer.
    package var commonName: String?
    /// The group of life: `bird`, `mammal`, …
    package var kind: String

    /// Fills in everything.
    package init(id: UUID, scientificName: String, commonName: String?, kind: String) {
        self.id = id
        self.scientificName = scientificName
        self.commonName = commonName
        self.kind = kind
    }

    /// Writes the taxon's id, names and kind.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("scientificName", scientificName)
            writer.field("commonName", commonName)
            writer.field("kind", kind)
        }
    }
}
