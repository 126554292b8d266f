package import Domain
package import Exchange
import ReadModels

/// A difference between a bulk answer as of one day and as of a later one.
package struct Erratum: Hashable, Sendable {
    /// Which of the two answers has the record: the later one, both or the earlier one.
    package enum Change: String, Vocabulary {
        case added, changed, removed
    }

    /// The reason that the public history gives.
    package enum Reason: String, Vocabulary {
        case submitted, imported
        /// The observer or the source changed values.
        case corrected
        case identified
        /// Less is generalised.
        case widened
        /// A moderator accepted or rejected it, reopened it, or showed a text again.
        case reviewed
        case withdrawn
        /// The names or the place of its taxon changed.
        case renamed
        /// Its dataset has another title or other credits.
        case credited
        /// Its observer has another public name.
        case observer
        /// Its photos changed.
        case photos
    }

    /// The public id of the record.
    package let id: SightingID
    /// That of the earlier answer; of an added record, that of the later one.
    package let occurrenceID: String
    package let change: Change
    /// Nil where the public history gives none.
    package let reason: Reason?
    /// The columns whose values differ, in their order; empty unless the record changed.
    package let columns: [OccurrenceColumn]
    /// The extensions of an archive whose rows differ, besides the id of the record in them.
    package let extensions: [Extension]

    /// An extension of an archive, by its file.
    package enum Extension: String, CaseIterable, Sendable {
        case media = "multimedia.txt"
        case identifications = "identification.txt"
        case measurements = "measurementorfact.txt"
        case hashes = "audiovisual.txt"
    }

    package var columnNames: [String] { columns.map(\.name) + extensions.map(\.rawValue) }
}

extension Erratum {
    /// Compares a record in two answers, nil for none.
    /// - Returns: nil if there is no difference.
    init?(
        _ id: SightingID, from old: OutgoingRecord?, to new: OutgoingRecord?,
        _ course: DifferenceQueries.Course?
    ) {
        guard let present = old ?? new else { return nil }
        let change: Change = old == nil ? .added : new == nil ? .removed : .changed
        var (columns, extensions): ([OccurrenceColumn], [Extension]) = ([], [])
        if let old, let new {
            columns = OccurrenceColumn.allCases.filter { old.occurrence[$0] != new.occurrence[$0] }
            if old.media != new.media { extensions.append(.media) }
            if old.identifications != new.identifications { extensions.append(.identifications) }
            if old.measurements != new.measurements { extensions.append(.measurements) }
            if old.hashes != new.hashes { extensions.append(.hashes) }
            if columns.isEmpty, extensions.isEmpty { return nil }
        }
        (self.id, self.change, self.columns, self.extensions) = (id, change, columns, extensions)
        occurrenceID = present.occurrence[.occurrenceID] ?? ""
        reason = Reason(change, columns, Set(extensions), course)
    }
}

extension Erratum.Reason {
    /// The columns that depend on a taxon's names and parents.
    private static let names: Set<OccurrenceColumn> = [
        .scientificName, .scientificNameAuthorship, .taxonRank, .kingdom, .phylum, .class, .order, .family, .genus,
        .vernacularName,
    ]
    private static let credits: Set<OccurrenceColumn> = [.datasetName, .rightsHolder, .bibliographicCitation]

    /// Derives the reason from the most decisive event in between; if there is none, from the columns.
    fileprivate init?(
        _ change: Erratum.Change, _ columns: [OccurrenceColumn], _ extensions: Set<Erratum.Extension>,
        _ course: DifferenceQueries.Course?
    ) {
        // Its history has only its present state.
        if course?.isGuarded == true { return nil }
        let kinds = Set(course?.changes.compactMap { Self.kinds[$0] } ?? [])
        if change == .removed {
            if course?.status == .withdrawn {
                self = .withdrawn
                return
            }
            if course?.status == .rejected {
                self = .reviewed
                return
            }
        }
        let columns = Set(columns)
        let isOfNames = columns.isSubset(of: Self.names) && extensions.isSubset(of: [.identifications])
        if change == .changed, isOfNames, kinds.isDisjoint(with: [.corrected, .identified]) {
            self = .renamed
            return
        }
        let order: [Self] =
            change == .added
            ? [.submitted, .imported, .corrected, .identified, .widened, .reviewed]
            : [.corrected, .imported, .identified, .widened, .reviewed]
        if let reason = order.first(where: kinds.contains) {
            self = reason == .imported && change != .added ? .corrected : reason
            return
        }
        guard change == .changed else {
            // The record is as it was: another taxonomy puts its taxon elsewhere.
            guard course?.status != nil, course?.changes.isEmpty == true else { return nil }
            self = .renamed
            return
        }
        if extensions.isEmpty, columns.isSubset(of: Self.credits) {
            self = .credited
        } else if columns.isSubset(of: [.associatedMedia]), extensions.isSubset(of: [.media, .hashes]) {
            self = .photos
        } else if columns.isSubset(of: [.recordedBy]), extensions.isSubset(of: [.media, .identifications]) {
            self = .observer
        } else {
            return nil
        }
    }

    /// The kinds of public history, by the types of events.
    private static let kinds: [String: Self] = [
        SightingSubmitted.type: .submitted, SightingImported.type: .imported, SightingCorrected.type: .corrected,
        SightingIdentified.type: .identified, SightingGeoprivacyWidened.type: .widened,
        SightingReleased.type: .widened, SightingApproved.type: .reviewed, SightingRejected.type: .reviewed,
        SightingReopened.type: .reviewed, SightingUnhidden.type: .reviewed, SightingWithdrawn.type: .withdrawn,
    ]
}
