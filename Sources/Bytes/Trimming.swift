extension String {
    /// Without white space at either end.
    package var trimmed: String {
        guard first?.isWhitespace == true || last?.isWhitespace == true else { return self }
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
