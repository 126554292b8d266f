import Bytes
package import Domain
package import FoundationEssentials
package import Service

/// The number of items on a page.
package struct PageLimit: Hashable, Sendable {
    /// The numbers that a client may request.
    package static let bounds = 1...200
    /// The default.
    package static let standard = PageLimit(value: 50)

    /// The number of items.
    package let value: Int

    private init(value: Int) {
        self.value = value
    }

    /// Reads `limit`.
    /// - Throws: `RuleViolation` with the bounds; a larger number is never reduced silently.
    package init(_ text: String) throws(RuleViolation) {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text), Self.bounds.contains(value)
        else { throw .wholeNumber(Self.bounds) }
        self.value = value
    }
}

/// The end of a page: the sort key of its last item, opaque to clients.
///
/// A cursor belongs to one query: it is sealed together with the route and the filters (the scope), so one that was
/// changed, truncated, or used with another query is rejected, and clients cannot read the sort key. It never expires.
package struct PageCursor: Hashable, Sendable {
    /// One part of a sort key.
    package enum Part: Hashable, Sendable {
        case integer(Int64)
        case uuid(UUID)
        case text(String)
    }

    /// The sort key.
    package let parts: [Part]

    /// The cursor after an item.
    package init(_ parts: [Part]) {
        self.parts = parts
    }

    /// The scope of a list with filters, of which a missing one is nil.
    package static func scope(_ list: String, _ filters: [String?]) -> String {
        list + "/" + filters.map { $0 ?? "" }.joined(separator: "/")
    }

    /// The text for clients, another one each time.
    /// - Parameter scope: the route and the filters of the query, in a form that is the same on every page.
    /// - Throws: what sealing throws.
    package func token(scope: String, sealedBy seal: DailySeal, at now: Instant) throws -> String {
        Base64.url.encode(try seal.seal(bytes, context: Array(scope.utf8), at: now))
    }

    /// The text for clients, the same each time: a page for everyone has the same bytes, and so the same entity tag.
    /// - Throws: what sealing throws.
    package func repeatableToken(scope: String, sealedBy seal: DailySeal) throws -> String {
        Base64.url.encode(try seal.sealRepeatably(bytes, context: Array(scope.utf8)))
    }

    private var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for part in parts { Self.append(part, to: &bytes) }
        return bytes
    }

    /// Reads a cursor from a client.
    /// - Throws: `RuleViolation` for any text that is not a cursor of this query.
    package init(token: String, scope: String, sealedBy seal: DailySeal) throws(RuleViolation) {
        guard token.utf8.count <= 1024, let bytes = Base64.url.decode(token),
            let opened = seal.open(bytes, context: Array(scope.utf8)), let parts = Self.parts(opened.value[...])
        else { throw RuleViolation(.format, "must be the cursor that an earlier page of the same query gave") }
        self.parts = parts
    }

    private static func append(_ part: Part, to bytes: inout [UInt8]) {
        switch part {
        case .integer(let value):
            bytes.append(1)
            bytes += value.bigEndianBytes
        case .uuid(let value):
            bytes.append(2)
            withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
        case .text(let value):
            bytes.append(3)
            let text = Array(value.utf8.prefix(Int(UInt16.max)))
            bytes += UInt16(text.count).bigEndianBytes + text
        }
    }

    private static func parts(_ bytes: ArraySlice<UInt8>) -> [Part]? {
        var parts: [Part] = []
        var rest = bytes
        while let kind = rest.popFirst() {
            guard let part = part(kind, &rest) else { return nil }
            parts.append(part)
        }
        return parts
    }

    private static func part(_ kind: UInt8, _ rest: inout ArraySlice<UInt8>) -> Part? {
        switch kind {
        case 1:
            return take(8, &rest).flatMap { Int64(bigEndianBytes: $0) }.map(Part.integer)
        case 2:
            guard let bytes = take(16, &rest) else { return nil }
            var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
            withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
            return .uuid(UUID(uuid: uuid))
        case 3:
            guard let length = take(2, &rest).flatMap({ UInt16(bigEndianBytes: $0) }),
                let bytes = take(Int(length), &rest)
            else { return nil }
            return String(validating: bytes, as: UTF8.self).map(Part.text)
        default:
            return nil
        }
    }

    private static func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
