extension String {
    /// Without white space at either end.
    package var trimmed: String {
        // Nearly always both ends are graphic ASCII, and there is nothing to trim.
        if let first = utf8.first, let last = utf8.last, (0x21...0x7E) ~= first, (0x21...0x7E) ~= last { return self }
        return String(trimming(\.isWhitespace))
    }
}

extension StringProtocol {
    /// Without the spaces and tabs at either end, as header values are compared.
    package func trimmingSpaces() -> SubSequence {
        trimming { $0 == " " || $0 == "\t" }
    }

    fileprivate func trimming(_ isSpace: (Character) -> Bool) -> SubSequence {
        let head = drop(while: isSpace)
        guard let end = head.lastIndex(where: { !isSpace($0) }) else { return head }
        return head[...end]
    }
}
