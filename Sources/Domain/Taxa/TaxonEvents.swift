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

    package init(_ common: CommonName) {
        self.common = common
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        common = CommonName(language: try reader.required("language"), name: try reader.required("name"))
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("language", common.language)
        writer.field("name", common.name)
    }
}

/// The taxon is also found under another scientific name.
package struct TaxonSynonymAdded: EventPayload {
    package static let type = "TaxonSynonymAdded"
    package var name: PublishedText

    package init(name: PublishedText) {
        self.name = name
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        name = try reader.required("name")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("name", name)
    }
}

/// The taxon has another parent.
package struct TaxonMoved: Equatable, Sendable {
    /// The next higher taxon, nil at the top.
    package var parent: TaxonID?
}

extension TaxonMoved: EventPayload {
    package static let type = "TaxonMoved"

    init(_ reader: PayloadReader) throws(PayloadFault) {
        parent = try reader.optional("parent")
    }

    package func write(fields writer: inout PayloadWriter) {
        if let parent { writer.field("parent", parent) } else { writer.null("parent") }
    }
}

/// The taxon is described otherwise. Has only the changed values.
package struct TaxonDescribed: EventPayload {
    package static let type = "TaxonDescribed"
    package var description: Change<PublishedText>
    /// The address of a page about it.
    package var link: Change<PublishedText>
    /// The author and year of its description, such as "Linnaeus, 1758".
    package var authorship: Change<PublishedText>

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

    init(_ reader: PayloadReader) throws(PayloadFault) {
        description = try reader.change("description")
        link = try reader.change("link")
        authorship = try reader.change("authorship")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("description", description)
        writer.field("link", link)
        writer.field("authorship", authorship)
    }
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

    package init(
        category: SensitivityCategory?, reason: PublishedText? = nil, source: PublishedText? = nil,
        everydayNames: [PublishedText] = []
    ) {
        self.category = category
        self.reason = reason
        self.source = source
        self.everydayNames = everydayNames
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        category = try reader.optional("category")
        reason = try reader.optional("reason")
        source = try reader.optional("source")
        everydayNames = try reader.list("everydayNames")
    }

    package func write(fields writer: inout PayloadWriter) {
        if let category { writer.field("category", category) } else { writer.null("category") }
        if let reason { writer.field("reason", reason) } else { writer.null("reason") }
        if let source { writer.field("source", source) } else { writer.null("source") }
        if !everydayNames.isEmpty { writer.field("everydayNames", everydayNames) }
    }
}
