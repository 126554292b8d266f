package import Domain
import FoundationEssentials
import ReadModels

/// The outcome of making an export again to check it.
package enum ExportVerdict: Sendable {
    /// Its bytes.
    case identical
    /// Other bytes, because a restriction, or the turn of a month, touched some of its records.
    /// - Parameter records: how many were removed, added or replaced; others only lost values.
    case restricted(records: Int)
    /// Other bytes, and nothing explains them.
    case different(ExportMade)
    /// It was never made.
    case notMade(ExportView.State)
    /// This program, or its settings, make other bytes.
    case otherOutput(version: Int)

    /// Whether an operator may rely on the export: its bytes are those that it had, or restrictions explain the others.
    package var isExpected: Bool {
        switch self {
        case .identical, .restricted: true
        case .different, .notMade, .otherOutput: false
        }
    }
}

extension FileExports {
    /// The newest revision of an export, and what making it again gives. The models of ``BulkReader/plan`` and of
    /// exports must have caught up.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone``; as ``make(_:)``.
    package func verify(_ id: ExportID) async throws -> (recorded: ExportMade?, verdict: ExportVerdict) {
        let view = try await reader.export(id).value
        guard let recorded = view.export.revisions.last else { return (nil, .notMade(view.state)) }
        return (recorded, try await verdict(on: recorded, view.export))
    }

    private func verdict(on recorded: ExportMade, _ export: ExportRow) async throws -> ExportVerdict {
        let query = export.query
        guard maker.subjects.site.makes(query, signer) else { return .otherOutput(version: query.outputVersion) }
        let then = PublicMoment(recorded.moment, of: query.day)
        let now = try await present(of: then)
        func again(asOf moment: PublicMoment) async throws -> ExportMade {
            try await make(
                ExportMaker.Order(
                    id: export.id, query: query, requested: export.requestedAt, revision: recorded.revision,
                    moment: moment)
            ).revision
        }
        if try await again(asOf: now).sha256 == recorded.sha256 { return .identical }
        let made = try await again(asOf: then)
        let selection = RecordSelection(exportedBy: query.filter, as: query.format, query.ranges)
        if made.sha256 != recorded.sha256 {
            // A loss acts backwards, so the same moment has other records.
            let touch = try await maker.reader.query {
                try await RestrictionQueries($0).touch(selection, from: then, to: now)
            }
            guard touch.isTouched || touch.isUnclear else { return .different(made) }
        }
        return .restricted(records: try await maker.reader.restricted(in: selection, from: then, to: now))
    }

    /// The same knowledge under the restrictions of now.
    private func present(of moment: PublicMoment) async throws -> PublicMoment {
        let now = try await reads.source(BulkReader.plan, Asked(position: moment.shown)).moment
        return PublicMoment(
            known: moment.known, shown: now.shown, guarded: moment.guarded, settled: now.settled, of: moment.day)
    }
}
