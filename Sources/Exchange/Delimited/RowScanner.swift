/// Separates rows and fields of delimited text, whatever pieces the bytes come in.
///
/// A value type without I/O: it is given bytes and stops where a row ends; the fields are then in ``row``. A quote
/// opens a quoted field only as a field's first byte (RFC 4180); elsewhere it stands for itself. Lines without any byte
/// are no rows.
struct RowScanner {
    private enum State {
        /// The next byte is the first of a field.
        case fieldStart
        case unquoted
        case quoted
        /// A quote was seen in a quoted field: the end of the field, or the first half of a doubled one.
        case quoteInQuoted
        /// A CR was seen outside quotes, and the next byte says what it means.
        case carriageReturn(after: Origin)
        /// In one of the lines that are passed over.
        case ignoredLine
    }

    /// Where a CR was seen.
    private enum Origin {
        case unquoted, closingQuote, ignoredLine
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// The row as far as it is read.
    private(set) var row: RowBuffer
    /// Physical line, counted from 1, in which the row began.
    private(set) var rowLine = 1

    private let file: String
    private let delimiter: UInt8
    /// The quote, or -1, which no byte equals.
    private let quote: Int16
    private var lineEnd: DelimitedDialect.LineEnd
    private var state: State
    private var linesToIgnore: Int
    private var line = 1
    private var swallowsLineFeed = false

    /// A scanner that first passes over `ignoredLines` lines. `file` is for messages.
    init(dialect: DelimitedDialect, limits: DelimitedLimits, ignoredLines: Int, file: String) {
        delimiter = dialect.delimiter
        quote = dialect.quote.map(Int16.init) ?? -1
        lineEnd = dialect.lineEnd
        self.file = file
        row = RowBuffer(limits: limits)
        linesToIgnore = ignoredLines
        state = ignoredLines > 0 ? .ignoredLine : .fieldStart
    }

    /// Forgets the row that was completed, and makes ready for the next.
    mutating func beginRow() {
        row.removeAll()
        rowLine = line
    }

    /// Takes bytes from `position` on, and moves it behind those taken.
    ///
    /// - Returns: true when a row is complete, false when `input` is used up.
    /// - Throws: `DelimitedError.quotedFieldTooLong`.
    mutating func scan(_ input: UnsafeBufferPointer<UInt8>, position: inout Int) throws -> Bool {
        while position < input.count {
            if swallowsLineFeed {
                swallowsLineFeed = false
                if input[position] == Self.lineFeed {
                    position += 1
                    continue
                }
            }
            let isComplete =
                switch state {
                case .fieldStart: try startField(input, &position)
                case .unquoted: scanUnquoted(input, &position)
                case .quoted: try scanQuoted(input, &position)
                case .quoteInQuoted: try resolveQuote(input, &position)
                case .carriageReturn(let origin): resolveCarriageReturn(after: origin, input, &position)
                case .ignoredLine: ignoreLine(input, &position)
                }
            if isComplete { return true }
        }
        return false
    }

    /// Ends the input.
    ///
    /// - Returns: true when a last row, without a line end, is complete.
    /// - Throws: `DelimitedError.unclosedQuote`.
    mutating func finish() throws -> Bool {
        switch state {
        case .fieldStart: return row.fieldEnds.isEmpty ? false : endRow()
        case .unquoted, .quoteInQuoted, .carriageReturn(.unquoted), .carriageReturn(.closingQuote): return endRow()
        case .quoted: throw DelimitedError.unclosedQuote(file: file, line: rowLine)
        case .ignoredLine, .carriageReturn(.ignoredLine): return false
        }
    }
}

// MARK: - States

extension RowScanner {
    private mutating func startField(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) throws -> Bool {
        row.beginField()
        guard Int16(input[position]) == quote else {
            state = .unquoted
            return scanUnquoted(input, &position)
        }
        position += 1
        state = .quoted
        return try scanQuoted(input, &position)
    }

    private mutating func scanUnquoted(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Bool {
        var end = position
        while end < input.count {
            let byte = input[end]
            if byte == delimiter || byte == Self.lineFeed || byte == Self.carriageReturn { break }
            end += 1
        }
        row.takeUnquoted(UnsafeBufferPointer(rebasing: input[position..<end]))
        position = end
        guard end < input.count else { return false }
        return endUnquoted(with: input[end], &position, after: .unquoted)
    }

    /// A delimiter or a line end after a field.
    private mutating func endUnquoted(with byte: UInt8, _ position: inout Int, after origin: Origin) -> Bool {
        position += 1
        if byte == delimiter {
            row.endField()
            state = .fieldStart
            return false
        }
        if byte == Self.lineFeed {
            if lineEnd == .automatic { lineEnd = .lineFeed }
            return endRow(after: origin)
        }
        guard lineEnd == .anyOf else {
            state = .carriageReturn(after: origin)
            return false
        }
        swallowsLineFeed = true
        return endRow(after: origin)
    }

    private mutating func scanQuoted(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) throws -> Bool {
        let lineBreak = lineEnd == .anyOf ? Self.carriageReturn : Self.lineFeed
        var end = position
        while end < input.count {
            let byte = input[end]
            if Int16(byte) == quote { break }
            if byte == lineBreak { line += 1 }
            end += 1
        }
        try takeQuoted(UnsafeBufferPointer(rebasing: input[position..<end]))
        position = end
        guard end < input.count else { return false }
        position += 1
        state = .quoteInQuoted
        return false
    }

    /// A quoted field that is too long ends the reading: it is unknown where the next row begins.
    private mutating func takeQuoted(_ span: UnsafeBufferPointer<UInt8>) throws {
        guard row.take(span) else {
            throw DelimitedError.quotedFieldTooLong(file: file, line: rowLine, limit: row.limits.fieldBytes)
        }
    }

    private mutating func resolveQuote(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) throws -> Bool {
        let byte = input[position]
        if Int16(byte) == quote {
            try takeQuoted(UnsafeBufferPointer(rebasing: input[position..<position + 1]))
            position += 1
            state = .quoted
            return false
        }
        if byte == delimiter || byte == Self.lineFeed || byte == Self.carriageReturn {
            return endUnquoted(with: byte, &position, after: .closingQuote)
        }
        row.note(.textAfterClosingQuote(column: row.column))
        state = .unquoted
        return false
    }

    /// The byte after a CR: CRLF ends the row in every mode; otherwise the mode decides, or is decided.
    private mutating func resolveCarriageReturn(
        after origin: Origin, _ input: UnsafeBufferPointer<UInt8>, _ position: inout Int
    ) -> Bool {
        if input[position] == Self.lineFeed {
            position += 1
            if lineEnd == .automatic { lineEnd = .lineFeed }
            return endRow(after: origin)
        }
        if lineEnd == .automatic {
            lineEnd = .anyOf
            return endRow(after: origin)
        }
        switch origin {
        case .ignoredLine:
            state = .ignoredLine
        case .closingQuote:
            row.note(.textAfterClosingQuote(column: row.column))
            state = .unquoted
        case .unquoted:
            withUnsafePointer(to: Self.carriageReturn) { row.takeUnquoted(UnsafeBufferPointer(start: $0, count: 1)) }
            state = .unquoted
        }
        return false
    }

    private mutating func ignoreLine(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Bool {
        while position < input.count {
            let byte = input[position]
            if byte == Self.lineFeed || byte == Self.carriageReturn {
                return endUnquoted(with: byte, &position, after: .ignoredLine)
            }
            position += 1
        }
        return false
    }

    /// A line end; true when it ends a row, false after an ignored or an empty line.
    private mutating func endRow(after origin: Origin) -> Bool {
        line += 1
        switch origin {
        case .ignoredLine:
            linesToIgnore -= 1
            state = linesToIgnore > 0 ? .ignoredLine : .fieldStart
            rowLine = line
            return false
        case .unquoted where row.isEmpty:
            state = .fieldStart
            rowLine = line
            return false
        case .unquoted, .closingQuote:
            return endRow()
        }
    }

    private mutating func endRow() -> Bool {
        row.endField()
        state = .fieldStart
        return true
    }
}
