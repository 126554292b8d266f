/// The fields of typed content, beside the log.
package enum ContentField: String, Vocabulary {
    case email, name, displayName, password
    case notes, verbatimName
    case record
    case altText, capture
    case decisionNote, remarks, answer, appeal, flagNote
    case title, publisher, citation, rightsHolder, fileName

    /// Whether an account types it, and gets it with its data: not the record of a password, what was read from a
    /// photo, or what an import brings.
    package var isTyped: Bool {
        switch self {
        case .email, .name, .displayName, .notes, .verbatimName, .altText, .decisionNote, .remarks, .answer, .appeal,
            .flagNote:
            true
        case .password, .record, .capture, .title, .publisher, .citation, .rightsHolder, .fileName: false
        }
    }
}

/// A field that is written, or erased, in the transaction of an event.
package struct ContentWrite: Hashable, Sendable {
    /// The index of its event in the decision, from 0.
    package let event: Int
    package let field: ContentField
    /// The text; nil clears the field.
    package let value: String?
}

/// A unique value, claimed in the transaction of a decision's first event.
package struct Reservation: Hashable, Sendable {
    /// The kind of value, unique within its kind.
    package enum Kind: String, Vocabulary {
        /// An e-mail address in lower case, its domain in ASCII; earlier versions reserved it as it was typed.
        case email
        /// The title of a dataset.
        case dataset
        /// The ordinal of a photo among all that its sighting ever had.
        case photo
        /// The account and the idempotency key of a request for an export, which may be for any of several streams.
        case exportRequest = "export-request"
    }

    /// The kind of value, unique within its kind.
    package let kind: Kind
    /// The text whose SHA-256 is claimed; the text itself is not kept.
    package let text: String

    package init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }
}

extension ContentWrite {
    /// The write of a text with the first event; empty without a text.
    static func optional(_ field: ContentField, _ text: (any TypedText)?) -> [ContentWrite] {
        text.map { [ContentWrite(event: 0, field: field, value: $0.text)] } ?? []
    }
}
