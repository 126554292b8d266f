/// The events of a taxon's stream: the only ones whose payloads hold text, because it was published before.
package enum TaxonEvent: Equatable, Sendable {
    case added(TaxonAdded)
    case named(TaxonNamed)
    case synonymAdded(TaxonSynonymAdded)
    case moved(TaxonMoved)
    case described(TaxonDescribed)
    case sensitivitySet(TaxonSensitivitySet)
    case payloadRedacted(PayloadRedacted)
    /// An event whose payload was redacted.
    case redacted(RedactedEvent)
}

extension TaxonEvent: DomainEvent {
    package static let stream = StreamKind.taxon

    package static let table: [EventEntry<Self>] = [
        EventEntry(added, "A taxon was added to the catalogue.", by: "add", isComplete: true),
        EventEntry(named, "The taxon has a new preferred common name in one language.", by: "name"),
        EventEntry(synonymAdded, "The taxon can also be found under another scientific name.", by: "addSynonym"),
        EventEntry(moved, "The taxon has a new parent.", by: "move"),
        EventEntry(described, "The description, link or authorship of the taxon changed.", by: "describe"),
        EventEntry(
            sensitivitySet, "The sensitivity category of the taxon changed.", by: "setSensitivity",
            .either("restriction when the category is raised, to a lower number or from none")),
        .redaction(payloadRedacted),
    ]

    package var body: any EventBody {
        switch self {
        case .added(let payload): payload
        case .named(let payload): payload
        case .synonymAdded(let payload): payload
        case .moved(let payload): payload
        case .described(let payload): payload
        case .sensitivitySet(let payload): payload
        case .payloadRedacted(let payload): payload
        case .redacted(let event): event
        }
    }
}

/// The taxon has another preferred common name in a language.
package struct TaxonNamed: EventPayload {
    package static let type = "TaxonNamed"
    package var common: CommonName

    static let shape = Shape<Self>(Self.init, .flat(\.common))

    package init(_ common: CommonName) {
        self.common = common
    }
}

/// The taxon is also found under another scientific name.
package struct TaxonSynonymAdded: EventPayload {
    package static let type = "TaxonSynonymAdded"
    package var name: PublishedText

    static let shape = Shape<Self>(Self.init, .required("name", \.name))

    package init(name: PublishedText) {
        self.name = name
    }
}

/// The taxon has another parent.
package struct TaxonMoved: EventPayload {
    package static let type = "TaxonMoved"
    /// The next higher taxon, nil at the top.
    package var parent: TaxonID?

    static let shape = Shape<Self>(Self.init, .nullable("parent", \.parent))
}

/// The taxon is described otherwise. Has only the changed values.
package struct TaxonDescribed: EventPayload {
    package static let type = "TaxonDescribed"
    package var description: Change<PublishedText>
    /// The address of a page about it.
    package var link: Change<PublishedText>
    /// The author and year of its description, such as "Linnaeus, 1758".
    package var authorship: Change<PublishedText>

    static let shape = Shape<Self>(
        Self.init,
        .change("description", \.description),
        .change("link", \.link),
        .change("authorship", \.authorship))

    package init(
        description: Change<PublishedText> = .unset, link: Change<PublishedText> = .unset,
        authorship: Change<PublishedText> = .unset
    ) {
        self.description = description
        self.link = link
        self.authorship = authorship
    }

    /// Whether nothing changes.
    package var isEmpty: Bool { description.isUnset && link.isUnset && authorship.isUnset }
}

/// The taxon's places need more or less care.
package struct TaxonSensitivitySet: EventPayload {
    package static let type = "TaxonSensitivitySet"
    /// The category, nil for none.
    package var category: SensitivityCategory?
    /// The published reason.
    package var reason: PublishedText?
    /// The published source of the category.
    package var source: PublishedText?
    /// Everyday and foreign names by which the taxon may be meant: "wolf", "Vielfraß".
    package var everydayNames: [PublishedText]

    static let shape = Shape<Self>(
        Self.init,
        .nullable("category", \.category),
        .nullable("reason", \.reason),
        .nullable("source", \.source),
        .list("everydayNames", \.everydayNames))

    package init(
        category: SensitivityCategory?, reason: PublishedText? = nil, source: PublishedText? = nil,
        everydayNames: [PublishedText] = []
    ) {
        self.category = category
        self.reason = reason
        self.source = source
        self.everydayNames = everydayNames
    }
}
