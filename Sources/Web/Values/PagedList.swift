import Domain
package import HTTPTypes
package import Hummingbird
package import JSON
package import ReadModels
package import Service

/// A list under one filter, whose pages are linked by cursors.
package struct PagedList: Sendable {
    /// The place after which a page begins.
    package struct Cursor<Key: PageKey>: Sendable {
        package let key: Key
        /// The position of the previous page; 0 if any position will do. On a server that has not reached it, the next
        /// page could repeat or omit items.
        package let position: Int64
    }

    /// The text with which the cursors are sealed: one of another list or filter does not open.
    private let scope: String
    private let log: LogState

    /// - Parameters:
    ///   - name: the name of the list, with its owner's id if it has an owner.
    ///   - filters: the values of the filters; a missing one is nil. Lists older than ``Domain/RecordFilter`` name its
    ///     members one by one, so that their cursors stay valid; a new list gives its `canonical` text.
    ///   - later: a filter that was added later; if nil, it is left out of the scope, so that older cursors stay valid.
    package init(_ name: String, _ filters: [String?], later: String? = nil, _ log: LogState) {
        scope = PageCursor.scope(name, filters + (later.map { [$0] } ?? []))
        self.log = log
    }

    /// Reads a cursor: the parts of its key and, in lists for one caller alone, the epoch and position of its page.
    fileprivate func cursor<Key: PageKey>(_ token: String) throws(RuleViolation) -> Cursor<Key> {
        let parts = try PageCursor(token: token, scope: scope, sealedBy: log.cursors).parts
        if let key = Key(parts: parts[...]) { return Cursor(key: key, position: 0) }
        guard parts.count > 2, let key = Key(parts: parts.dropLast(2)),
            case .integer(let epoch) = parts[parts.count - 2], case .integer(let position) = parts[parts.count - 1]
        else { throw RuleViolation(.format, "must be the cursor that an earlier page of the same query gave") }
        // In another epoch, the position belongs to another event, if any.
        return Cursor(key: key, position: epoch == log.epoch ? position : 0)
    }

    private func token(_ key: some PageKey, _ rest: [PageCursor.Part]) throws -> String {
        try PageCursor(key.parts + rest).token(scope: scope, sealedBy: log.cursors, at: log.now())
    }
}

extension QueryReader {
    /// The place after which a page begins; nil for the first page.
    package mutating func after<Key: PageKey>(_ list: PagedList) -> PagedList.Cursor<Key>? {
        optional("after") { (token) throws(RuleViolation) in try list.cursor(token) }
    }
}

// MARK: - Responses

extension PagedList {
    /// A page for everyone.
    /// - Throws: `ProblemDetails`; what sealing throws.
    package func page<Item: JSONRepresentable & Sendable>(
        _ shown: Shown<Slice<Item, some PageKey>>, for request: Request
    ) throws -> Response {
        try page(shown, for: request) { $0 }
    }

    /// A page for everyone, in a form of its own.
    /// - Throws: `ProblemDetails`; what sealing throws.
    package func page<Item: JSONRepresentable & Sendable, Form: JSONRepresentable>(
        _ shown: Shown<Slice<Item, some PageKey>>, for request: Request, as form: (Page<Item>) -> Form
    ) throws -> Response {
        let next = try shown.value.next.map { key in
            try PageCursor(key.parts).repeatableToken(scope: scope, sealedBy: log.cursors)
        }
        var headers = try HTTPFields(reflecting: shown, of: log)
        headers.link(next: next, of: request)
        let body = JSONWriter.bytes(of: form(Page(items: shown.value.items, next: next)))
        return try .publicRepresentation(body, for: request, headers: headers)
    }

    /// A page for its caller alone.
    /// - Parameters:
    ///   - position: the position that the next page must show at least.
    ///   - headers: the headers of the response besides the link.
    /// - Throws: what sealing throws.
    package func page<Item: JSONRepresentable & Sendable>(
        _ slice: Slice<Item, some PageKey>, showing position: Int64, headers: HTTPFields, for request: Request
    ) throws -> Response {
        try page(slice, showing: position, headers: headers, for: request) { $0 }
    }

    /// A page for its caller alone, in a form of its own.
    package func page<Item: JSONRepresentable & Sendable, Form: JSONRepresentable>(
        _ slice: Slice<Item, some PageKey>, showing position: Int64, headers: HTTPFields, for request: Request,
        as form: (Page<Item>) -> Form
    ) throws -> Response {
        let next = try slice.next.map { try token($0, [.integer(log.epoch), .integer(position)]) }
        var headers = headers
        headers.link(next: next, of: request)
        return .json(JSONWriter.bytes(of: form(Page(items: slice.items, next: next))), headers: headers)
    }
}
