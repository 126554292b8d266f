/// The groups of taxa that the service tells apart for people.
package enum TaxonKind: String, Vocabulary {
    case bird, mammal, reptile, amphibian, plant, other
}
