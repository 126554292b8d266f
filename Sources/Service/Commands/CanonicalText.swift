import Bytes
package import Domain

/// The form of a request from which its fingerprint is computed. Equal requests have the same form, also after an
/// upgrade; other requests have other forms. ``CommandSigner`` takes nothing else.
///
/// Each text has its length before it, which separates it from its neighbours and from a missing one.
package struct CanonicalText: Hashable, Sendable {
    /// UTF-8.
    let bytes: [UInt8]

    /// A request that says nothing besides the command's name and its target.
    package static let empty = CanonicalText(bytes: [])

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// - Parameter texts: as they were typed; nil for a missing one. A list of any length must be the last.
    package init(_ texts: [String?]) {
        self.init(bytes: texts.flatMap { text in (text.map { "\($0.utf8.count):\($0)" } ?? "-").utf8 })
    }

    package init(_ texts: String?...) {
        self.init(texts)
    }

    package init(_ change: Change<String>) {
        switch change {
        case .unset: self.init(nil)
        case .cleared: self.init(bytes: Array("0".utf8))
        case .set(let text): self.init(text)
        }
    }

    /// - Parameter digest: of what is long, or secret.
    package init(digest: [UInt8]) {
        self.init(Hexadecimal.digits(of: digest))
    }

    /// A request with many members, as an object of JSON. It ends by itself, so texts may follow.
    /// - Parameter members: writes those that are present, so that a new one leaves requests without it as they were.
    init(members: (inout PayloadWriter) -> Void) {
        var writer = PayloadWriter()
        writer.object(members)
        self.init(bytes: writer.bytes)
    }

    package static func + (one: Self, other: Self) -> Self {
        CanonicalText(bytes: one.bytes + other.bytes)
    }
}
