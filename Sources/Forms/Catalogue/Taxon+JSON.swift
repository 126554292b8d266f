package import Domain
package import JSON

extension TaxonSummary: JSONRepresentable {
    /// A taxon where another representation mentions it.
    package func write(to writer: inout JSONWriter) {
        writer.object { write(members: &$0) }
    }

    fileprivate func write(members writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("scientificName", scientificName)
        writer.field("commonName", commonName)
        writer.field("kind", kind)
    }
}

/// A taxon that a search found.
package struct FoundTaxon: JSONRepresentable {
    let taxon: TaxonSummary
    /// The name that the search found.
    let matchedName: String?

    package init(taxon: TaxonSummary, matchedName: String) {
        self.taxon = taxon
        self.matchedName = matchedName
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            taxon.write(members: &writer)
            writer.field("rank", taxon.rank)
            writer.field("matchedName", matchedName)
        }
    }
}

/// Everything about a taxon.
package struct WholeTaxon: JSONRepresentable {
    let summary: TaxonSummary
    let taxon: TaxonState.Taxon
    /// The names of its ancestors.
    let names: TaxonNames

    package init(summary: TaxonSummary, taxon: TaxonState.Taxon, names: TaxonNames) {
        (self.summary, self.taxon, self.names) = (summary, taxon, names)
    }

    package func write(to writer: inout JSONWriter) {
        let ancestors = names.lineage(of: summary.id).dropFirst().reversed().compactMap { names.summary(of: $0) }
        writer.object { writer in
            writer.field("id", summary.id)
            writer.field("scientificName", summary.scientificName)
            writer.field("authorship", taxon.authorship?.text)
            writer.field("commonName", summary.commonName)
            writer.field("kind", summary.kind)
            writer.field("rank", summary.rank)
            writer.field("ancestors", array: ancestors) { writer, ancestor in
                writer.object { writer in
                    writer.field("id", ancestor.id)
                    writer.field("scientificName", ancestor.scientificName)
                    writer.field("rank", ancestor.rank)
                }
            }
            writer.field("names", array: taxon.names) { writer, common in
                writer.object { writer in
                    writer.field("language", common.language)
                    writer.field("name", common.name.text)
                }
            }
            writer.field("synonyms", taxon.synonyms.map(\.text))
            writer.field("description", taxon.description?.text)
            writer.field("link", taxon.link?.text)
            writer.field("sensitivity", names.sensitivity(of: summary.id)?.rawValue)
        }
    }
}
