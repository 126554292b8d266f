/// The taxon has another preferred common name in a language from now on.
package struct TaxonNamed: EventPayload {
    /// The event's name in the log.
    package static let type = "TaxonNamed"
    /// The language and the name.
    package var common: CommonName

    /// Puts the event together.
    package init(_ common: CommonName) {
        self.common = common
    }

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        common = CommonName(language: try reader.required("language"), name: try reader.required("name"))
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        writer.field("language", common.language)
        writer.field("name", common.name)
    }
}

/// The taxon is also found under another scientific name.
package struct TaxonSynonymAdded: EventPayload {
    /// The event's name in the log.
    package static let type = "TaxonSynonymAdded"
    /// The other name.
    package var name: PublishedText

    /// Puts the event together.
    package init(name: PublishedText) {
        self.name = name
    }

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        name = try reader.required("name")
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        writer.field("name", name)
    }
}

/// The taxon has another parent.
package struct TaxonMoved: EventPayload {
    /// The event's name in the log.
    package static let type = "TaxonMoved"
    /// The next higher taxon, nil at the top.
    package var parent: TaxonID?

    /// Puts the event together.
    package init(parent: TaxonID?) {
        self.parent = parent
    }

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        parent = try reader.optional("parent")
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        if let parent { writer.field("parent", parent) } else { writer.null("parent") }
    }
}

/// The taxon is described otherwise; only what changed.
package struct TaxonDescribed: EventPayload {
    /// The event's name in the log.
    package static let type = "TaxonDescribed"
    /// A short description.
    package var description: Change<PublishedText>
    /// Where more about it can be read.
    package var link: Change<PublishedText>
    /// Who described it, and when.
    package var authorship: Change<PublishedText>

    /// Puts the event together.
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

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        description = try reader.change("description")
        link = try reader.change("link")
        authorship = try reader.change("authorship")
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        writer.field("description", description)
        writer.field("link", link)
        writer.field("authorship", authorship)
    }
}

/// The taxon's places need more or less care from now on.
package struct TaxonSensitivitySet: EventPayload {
    /// The event's name in the log.
    package static let type = "TaxonSensitivitySet"
    /// The category, nil for none.
    package var category: SensitivityCategory?
    /// Why, as it was published.
    package var reason: PublishedText?
    /// Who says so.
    package var source: PublishedText?

    /// Puts the event together.
    package init(category: SensitivityCategory?, reason: PublishedText? = nil, source: PublishedText? = nil) {
        self.category = category
        self.reason = reason
        self.source = source
    }

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        category = try reader.optional("category")
        reason = try reader.optional("reason")
        source = try reader.optional("source")
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        if let category { writer.field("category", category) } else { writer.null("category") }
        if let reason { writer.field("reason", reason) } else { writer.null("reason") }
        if let source { writer.field("source", source) } else { writer.null("source") }
    }
}
