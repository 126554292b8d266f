extension StringProtocol {
    /// Without the spaces and tabs around it, as header values are compared.
    func trimmingSpaces() -> SubSequence {
        let head = drop { $0 == " " || $0 == "\t" }
        guard let end = head.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return head }
        return head[...end]
    }
}
