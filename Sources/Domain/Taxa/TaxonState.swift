/// What a taxon's events add up to.
package struct TaxonState: Aggregate {
    /// A taxon as it stands now.
    package struct Taxon: Equatable, Sendable {
        /// The accepted scientific name.
        package let scientificName: PublishedText
        /// The rank.
        package let rank: TaxonRank
        /// The group it is shown in.
        package let kind: TaxonKind
        /// A code of a checklist.
        package let code: PublishedText?
        /// The next higher taxon.
        package fileprivate(set) var parent: TaxonID?
        /// Who described it, and when.
        package fileprivate(set) var authorship: PublishedText?
        /// A short description.
        package fileprivate(set) var description: PublishedText?
        /// Where more about it can be read.
        package fileprivate(set) var link: PublishedText?
        /// Every common name it ever had; the first of a language is the preferred one now.
        package fileprivate(set) var names: [CommonName]
        /// Other scientific names under which it is found.
        package fileprivate(set) var synonyms: [PublishedText]
        /// How much care its places need, with the reason and its source.
        package fileprivate(set) var sensitivity = TaxonSensitivitySet(category: nil)
        /// Whether anybody ever decided about it, if only that none is needed.
        package fileprivate(set) var isSensitivityDecided = false

        /// The preferred common name in a language.
        package func preferredName(in language: LanguageTag) -> PublishedText? {
            names.first { $0.language == language }?.name
        }
    }

    /// The taxon; nil while there is none, or when its first payload was redacted.
    package private(set) var taxon: Taxon?

    /// No taxon.
    package init() {}

    /// The taxon after one more event.
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
