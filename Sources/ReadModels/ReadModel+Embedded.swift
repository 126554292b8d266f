internal import Domain
package import EventLog

extension ReadModel {
    /// Every read model this program follows and queries.
    package static let all: [ReadModel] = [.accounts, .taxa, .datasets, .sightingsExact, .sightingsPublic]

    /// A model of embedded SQL files.
    /// - Parameters:
    ///   - table: the scripts that make the tables, in their order: first the generated `folded_events`, which lists
    ///     the events of `streams` but those of `unchanged`; a test compares.
    ///   - fold: the parts of the fold, in their order.
    ///   - streams: the kinds of streams that it folds.
    ///   - unchanged: the types of their events that change none of its rows.
    init(
        embedded name: String, version: Int, table: [[UInt8]], fold: [[UInt8]], folding streams: [StreamKind],
        unchangedBy unchanged: Set<String> = [], digest: [String: [String]]
    ) {
        let chapters = EventCatalogue.chapters.filter { streams.contains($0.stream) }
        self.init(
            name: name, version: version, table: Self.script(table), fold: Self.script(fold),
            events: Dictionary(
                uniqueKeysWithValues: chapters.map {
                    ($0.stream.rawValue, Set($0.events.map(\.type)).subtracting(unchanged))
                }),
            digest: digest)
    }

    private static func script(_ parts: [[UInt8]]) -> String {
        parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }
}
