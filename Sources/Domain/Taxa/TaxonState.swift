/// The state of a taxon, from its events.
package struct TaxonState: Aggregate {
    /// A taxon as it is now.
    package struct Taxon: Equatable, Sendable {
        /// The accepted scientific name.
        package let scientificName: PublishedText
        package let rank: TaxonRank
        /// The group it is shown in.
        package let kind: TaxonKind
        /// A code of a checklist.
        package let code: PublishedText?
        /// The next higher taxon.
        package fileprivate(set) var parent: TaxonID?
        /// The author and year of its description, such as "Linnaeus, 1758".
        package fileprivate(set) var authorship: PublishedText?
        package fileprivate(set) var description: PublishedText?
        /// The address of a page about it.
        package fileprivate(set) var link: PublishedText?
        /// Every common name it ever had; the first of a language is the preferred one now.
        package fileprivate(set) var names: [CommonName]
        /// Other scientific names under which it is found.
        package fileprivate(set) var synonyms: [PublishedText]
        /// Its own category, with the reason and its source.
        package fileprivate(set) var sensitivity = TaxonSensitivitySet(category: nil)
        /// Whether a category was ever set, if only to none.
        package fileprivate(set) var isSensitivityDecided = false

        /// The preferred common name in a language.
        package func preferredName(in language: LanguageTag) -> PublishedText? {
            names.first { $0.language == language }?.name
        }
    }

    /// The taxon; nil while there is none, or when its first payload was redacted.
    package private(set) var taxon: Taxon?

    package init() {}

    package mutating func evolve(_ event: TaxonEvent) {
        switch event {
        case .added(let payload): taxon = Taxon(payload)
        case .named(let payload): taxon?.prefer(payload.common)
        case .synonymAdded(let payload): taxon?.synonyms.append(payload.name)
        case .moved(let payload): taxon?.parent = payload.parent
        case .described(let payload): taxon?.apply(payload)
        case .sensitivitySet(let payload):
            taxon?.sensitivity = payload
            taxon?.isSensitivityDecided = true
        case .payloadRedacted, .redacted: break
        }
    }
}

extension TaxonState.Taxon {
    fileprivate init(_ event: TaxonAdded) {
        scientificName = event.scientificName
        rank = event.rank
        kind = event.kind
        code = event.code
        parent = event.parent
        authorship = event.authorship
        description = event.description
        link = event.link
        names = event.names
        synonyms = event.synonyms
    }

    fileprivate mutating func prefer(_ name: CommonName) {
        names.removeAll { $0 == name }
        names.insert(name, at: 0)
    }

    fileprivate mutating func apply(_ event: TaxonDescribed) {
        description = event.description.applied(to: description)
        link = event.link.applied(to: link)
        authorship = event.authorship.applied(to: authorship)
    }
}
