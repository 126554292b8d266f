/// Writes occurrences as a text: the same occurrences always give the same bytes.
package protocol OccurrenceEncoder: Sendable {
    /// How many control characters became spaces in the values of the occurrences so far.
    var replacedCharacters: Int { get }

    /// Appends what comes before the first occurrence.
    mutating func begin(into bytes: inout [UInt8])
    mutating func append(_ occurrence: OutgoingOccurrence, to bytes: inout [UInt8])
    /// Appends what comes after the last occurrence.
    mutating func end(into bytes: inout [UInt8])
}
