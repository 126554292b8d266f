import Domain
import FoundationEssentials
import ReadModels

/// An identification of a record, as its public history has it.
struct BulkIdentification: Hashable, Sendable {
    /// The taxon as it was known at the moment of the answer.
    let taxon: DatedTaxon
    /// The state of the record that begins with it.
    let state: IdentificationState
    let kind: HistoryKind
    /// Whether the event of that state identified the record. Otherwise the history begins with another event, and it
    /// is not public who identified the record, and when.
    let isMadeThere: Bool
    /// The last status of the record with this identification.
    fileprivate(set) var status: SightingStatus?
    /// Whether the record still has it.
    fileprivate(set) var isCurrent = true
}

/// Reads the identifications of the records of a bulk answer, for formats that have them.
///
/// Records that have not changed since they were recorded need no query. Guarded records have no identifications: their
/// past is not public.
struct BulkIdentifications: Sendable {
    private let histories: [SightingID: [IdentificationState]]

    /// Reads the histories of records.
    init(of records: [BulkRecord], asOf moment: PublicMoment, _ reader: BulkReader) async throws {
        let changed = records.map(\.record.row).filter { !$0.isGuarded && $0.version != 1 }.map(\.id)
        var states: [IdentificationState] = []
        if !changed.isEmpty {
            states = try await reader.query { try await IdentificationQueries($0).states(of: changed, asOf: moment) }
        }
        for record in records {
            if let only = IdentificationState(only: record.record.row) { states.append(only) }
        }
        histories = Dictionary(grouping: states, by: \.sighting)
    }

    /// The taxa that the histories have.
    var taxa: [TaxonID] { histories.values.flatMap { $0.compactMap(\.taxon) } }

    /// Adds their identifications to the records, the oldest first.
    /// - Parameter lineages: those of ``taxa``.
    func add(to records: inout [BulkRecord], _ lineages: [TaxonID: [DatedTaxon]]) throws {
        for index in records.indices {
            guard let history = histories[records[index].record.row.id] else { continue }
            records[index].identifications = try identifications(history, lineages)
        }
    }

    /// The identifications in a history: one begins where the taxon changes, and where a moderator identifies the
    /// record again. If an observer names another taxon after a moderator, the record keeps the moderator's.
    private func identifications(
        _ history: [IdentificationState], _ lineages: [TaxonID: [DatedTaxon]]
    ) throws -> [BulkIdentification] {
        var all: [BulkIdentification] = []
        var current: BulkIdentification?
        var before: IdentificationState?
        for state in history {
            guard let kind = try SightingEvent.description(of: state.change).historyKind else { continue }
            let isOther = state.taxon != before?.taxon
            let isModerators = kind == .identified && state.moderator != nil
            if isOther || isModerators {
                if var ended = current {
                    ended.isCurrent = false
                    all.append(ended)
                }
                current = state.taxon.flatMap { lineages[$0]?.first }.map {
                    BulkIdentification(
                        taxon: $0, state: state, kind: kind,
                        isMadeThere: before != nil || isModerators || kind == .submitted || kind == .imported,
                        status: state.status)
                }
            }
            current?.status = state.status
            before = state
        }
        return all + (current.map { [$0] } ?? [])
    }
}
