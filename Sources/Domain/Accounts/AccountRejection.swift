/// Why an account command may be refused.
package enum AccountRejection: Error, Equatable, Sendable {
    /// There is no such account.
    case notFound
    /// The stream already holds an account.
    case alreadyRegistered
    /// Every account is a birder's and stays one.
    case birderIsForEveryone
    /// Values contradict the rules.
    case invalid(Faults)
}
