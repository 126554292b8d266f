/// The groups of taxa that the service shows to people.
package enum TaxonKind: String, Vocabulary {
    case bird, mammal, reptile, amphibian, plant, other
}
