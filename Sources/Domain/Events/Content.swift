/// The fields that hold what people typed, beside the log.
package enum ContentField: String, Vocabulary {
    case email, name, displayName, password
    case notes, verbatimName
    case record
    case title, publisher, citation, rightsHolder, fileName
}

/// A field that is written, or erased, in the transaction of an event.
package struct ContentWrite: Hashable, Sendable {
    /// Which of the decision's events it belongs to, counted from 0.
    package let event: Int
    /// The field.
    package let field: ContentField
    /// The text, nil where the field is empty from now on.
    package let value: String?

    /// Ties a text to an event.
    package init(event: Int, field: ContentField, value: String?) {
        self.event = event
        self.field = field
        self.value = value
    }
}

/// Something of which there can be only one, claimed in the transaction of a decision's first event.
package struct Reservation: Hashable, Sendable {
    /// What must be unique.
    package enum Kind: String, Vocabulary {
        /// An e-mail address in lower case.
        case email
        /// The title of a dataset.
        case dataset
    }

    /// What must be unique.
    package let kind: Kind
    /// The text whose SHA-256 is claimed; the text itself is not kept.
    package let text: String

    /// Claims a text.
    package init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }
}
