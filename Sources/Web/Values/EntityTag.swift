import Bytes
import Crypto
package import HTTPTypes

/// A strong entity tag, which identifies a representation.
///
/// Under `/v1/me` it is `"<version>.<hash>"`: `If-Match` compares the version, `If-None-Match` the whole, because one
/// version can have several representations (a name in another language). On public routes it is a hash alone.
/// - Source: RFC 9110 section 8.8.3.
package struct EntityTag: Hashable, Sendable {
    /// The text between the quotes.
    package let opaque: String

    /// The tag of an owner's representation.
    /// - Parameter version: the version of the stream that is represented.
    package init(version: Int, body: [UInt8]) {
        opaque = "\(version).\(Self.hash(body))"
    }

    /// The tag of a public representation.
    package init(body: [UInt8]) {
        opaque = Self.hash(body)
    }

    package init(opaque: String) {
        self.opaque = opaque
    }

    /// The version that an owner's tag names; nil for a tag of another form.
    package var version: Int? {
        let parts = opaque.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts[0].utf8.first, first != UInt8(ascii: "+"),
            let version = Int(parts[0]),
            // 0: of a week of which nothing is recorded.
            version >= 0
        else { return nil }
        return version
    }

    /// The form in headers, with its quotes.
    package var headerValue: String { "\"\(opaque)\"" }

    /// 96 bits of SHA-256: a collision of two representations is practically impossible.
    private static func hash(_ body: [UInt8]) -> String {
        Base64.url.encode(SHA256.hash(data: body).prefix(12))
    }
}

/// The tags that `If-Match` or `If-None-Match` lists.
package enum EntityTagCondition: Hashable, Sendable {
    /// `*`: any representation.
    case any
    /// These tags. A weak one counts only for `If-None-Match`, which compares weakly.
    case tags([EntityTag])

    /// Reads a header. Nil if it is absent.
    /// - Throws: `ProblemDetails` for anything that is no list of tags.
    package init?(_ name: HTTPField.Name, in headers: HTTPFields) throws(ProblemDetails) {
        guard let value = headers[name] else { return nil }
        if value.trimmingSpaces() == "*" {
            self = .any
            return
        }
        var tags: [EntityTag] = []
        var rest = Substring(value).drop { $0 == " " || $0 == "\t" || $0 == "," }
        while !rest.isEmpty {
            let isWeak = rest.hasPrefix("W/")
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else {
                throw .header(name, "must be * or a list of entity tags in double quotes")
            }
            // If-Match compares strongly: a weak tag never matches.
            if !isWeak || name == .ifNoneMatch {
                tags.append(EntityTag(opaque: String(rest[rest.index(after: rest.startIndex)..<end])))
            }
            rest = rest[rest.index(after: end)...].drop { $0 == " " || $0 == "\t" }
            guard rest.isEmpty || rest.first == "," else {
                throw .header(name, "must have commas between entity tags")
            }
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
        }
        self = .tags(tags)
    }

    /// Whether a representation is among them.
    package func matches(_ tag: EntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains(tag)
        }
    }
}

/// The versions that a change may be based on.
package enum ExpectedVersion: Hashable, Sendable {
    /// `If-Match: *`: any version, as long as there is one.
    case any
    /// One of these versions; empty if no tag has our form.
    case oneOf(Set<Int>)

    /// The versions that the client would change; nil for any.
    package var versions: Set<Int>? {
        switch self {
        case .any: nil
        case .oneOf(let versions): versions
        }
    }

    /// Reads `If-Match` of a request that changes something.
    /// - Throws: `ProblemDetails`: 428 without the header, 400 for one that cannot be read.
    package init(_ headers: HTTPFields) throws(ProblemDetails) {
        switch try EntityTagCondition(.ifMatch, in: headers) {
        case nil: throw ProblemDetails(.preconditionRequired)
        case .any: self = .any
        case .tags(let tags): self = .oneOf(Set(tags.compactMap(\.version)))
        }
    }
}
