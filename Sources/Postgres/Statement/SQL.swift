/// A statement with its values.
///
/// Written as a literal, every interpolated value is bound (`$1`, `$2` …) and never pasted into the text:
///
///     let found = try await database.query("SELECT name FROM taxa WHERE id = \(id)")
///
/// `\(identifier: "x")` quotes a name, `\(fragment: other)` puts another statement in with its values renumbered, and
/// `\(literal: value)` quotes a value where PostgreSQL takes no parameter (COPY, SET, DDL).
package struct SQL: Sendable {
    /// Everything is behind one reference: a statement is copied several times on its way to the server and back.
    private final class Storage: Sendable {
        let content: Content

        init(_ content: Content) {
            self.content = content
        }
    }

    fileprivate struct Content: Sendable {
        var text = ""
        var binds = SQLBinds()
        var fault: PostgresEncodingFault?
        /// UTF-8 offsets of `$1`, `$2` … in `text`; nil when the text came from outside with its own numbers.
        var placeholders: [Int]? = []
    }

    private let storage: Storage

    private init(_ content: Content) {
        storage = Storage(content)
    }

    /// Statement text that is trusted as it is, such as an embedded `.sql` file, with values for its `$1`, `$2` ….
    package init(unsafeText text: String, binds values: [any PostgresEncodable] = []) {
        var content = Content(text: text, placeholders: values.isEmpty ? [] : nil)
        for value in values { content.append(value) }
        self.init(content)
    }

    /// Text without values.
    package init(stringLiteral value: String) {
        self.init(unsafeText: value)
    }

    /// The text sent to the server, with `$n` for the values.
    package var text: String { storage.content.text }

    /// How many values there are.
    package var bindCount: Int { binds.count }

    /// The values.
    var binds: SQLBinds { storage.content.binds }

    /// What cannot be sent is thrown when the statement is used, because an interpolation cannot throw.
    ///
    /// - Throws: ``PostgresError/Kind/encoding`` when a value or the text cannot be sent.
    func checked(for caller: CallSite) throws(PostgresError) -> SQL {
        var reason = storage.content.fault?.reason
        if text.utf8.contains(0) { reason = "the statement has a NUL character" }
        if bindCount > SQLBinds.limit { reason = "more than \(SQLBinds.limit) values" }
        guard let reason else { return self }
        throw PostgresError(.encoding, reason, query: text, caller: caller, wasSent: false)
    }
}

extension SQL: CustomStringConvertible {
    /// The text; values are not shown.
    package var description: String { text }
}

extension SQL: ExpressibleByStringInterpolation {
    /// Puts a statement together from a literal.
    package init(stringInterpolation: StringInterpolation) {
        self.init(stringInterpolation.content)
    }

    /// Collects the parts of a literal.
    package struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var content = Content()

        /// Makes room.
        package init(literalCapacity: Int, interpolationCount: Int) {
            content.text.reserveCapacity(literalCapacity + interpolationCount * 3)
            content.binds.reserveCapacity(interpolationCount)
        }

        /// Appends text of the literal.
        package mutating func appendLiteral(_ literal: String) {
            content.text += literal
        }

        /// Binds a value.
        package mutating func appendInterpolation(_ value: some PostgresEncodable) {
            bind(value)
        }

        /// Binds a value or NULL. An overload of its own, or the compiler would warn about every optional.
        package mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
            bind(value)
        }

        private mutating func bind(_ value: some PostgresEncodable) {
            content.placeholders?.append(content.text.utf8.count)
            content.append(value)
            content.text += "$\(content.binds.count)"
        }

        /// Quotes a name: a table, a column, a channel.
        package mutating func appendInterpolation(identifier: String) {
            content.text += SQL.quoted(identifier: identifier)
            if identifier.utf8.contains(0) { content.fail("an identifier has a NUL character") }
        }

        /// Puts another statement in, with its values.
        package mutating func appendInterpolation(fragment: SQL) {
            content.append(fragment: fragment.storage.content)
        }

        /// Quotes a text where PostgreSQL takes no parameter.
        package mutating func appendInterpolation(literal: String) {
            content.text += SQL.quoted(literal: literal)
            if literal.utf8.contains(0) { content.fail("a text has a NUL character") }
        }

        /// Writes a number where PostgreSQL takes no parameter.
        package mutating func appendInterpolation(literal: some BinaryInteger) {
            // In parentheses, or a negative number after a minus sign would begin a comment.
            content.text += "(\(literal))"
        }
    }
}

extension SQL {
    /// `name` as a quoted identifier.
    static func quoted(identifier: String) -> String {
        "\"" + doubling("\"", in: identifier) + "\""
    }

    /// `text` as a quoted literal; with a backslash in it, as an escape string, whatever the session's settings are.
    static func quoted(literal: String) -> String {
        let quoted = "'" + doubling("'", in: literal) + "'"
        return literal.utf8.contains(UInt8(ascii: "\\")) ? " E" + doubling("\\", in: quoted) : quoted
    }

    /// Works on scalars: to `Character` a quote with a combining accent is not a quote.
    private static func doubling(_ quote: Unicode.Scalar, in text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == quote { result.append(scalar) }
            result.append(scalar)
        }
        return String(result)
    }
}

extension SQL.Content {
    fileprivate mutating func append(_ value: some PostgresEncodable) {
        do throws(PostgresEncodingFault) {
            try binds.append(value)
        } catch {
            fail("$\(binds.count): \(error.reason)")
        }
    }

    fileprivate mutating func fail(_ reason: String) {
        fault = fault ?? PostgresEncodingFault(reason)
    }

    fileprivate mutating func append(fragment: SQL.Content) {
        guard let numbered = fragment.placeholders else {
            return fail("a text with its own parameter numbers cannot be a fragment")
        }
        let source = fragment.text.utf8
        var copied = source.startIndex
        for (number, offset) in numbered.enumerated() {
            let placeholder = source.index(source.startIndex, offsetBy: offset)
            text += fragment.text[copied..<placeholder]
            placeholders?.append(text.utf8.count)
            text += "$\(binds.count + number + 1)"
            copied = source.index(placeholder, offsetBy: "$\(number + 1)".utf8.count)
        }
        text += fragment.text[copied...]
        binds.append(contentsOf: fragment.binds)
        fault = fault ?? fragment.fault
    }
}
