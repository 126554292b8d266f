package import Domain
import FoundationEssentials
import ReadModels

/// The outcome of making an export again to check it.
package enum ExportVerdict: Sendable {
    /// Its bytes.
    case identical
    /// Other bytes, because a restriction removed or changed some of its records.
    /// - Parameter records: how many were removed or added; others only lost values.
    case restricted(records: Int)
    /// Other bytes, and nothing explains them.
    case different(ExportMade)
    /// It was never made.
    case notMade(ExportView.State)
    /// This program, or its settings, make other bytes.
    case otherOutput(version: Int)
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
        if made.sha256 != recorded.sha256 {
            let queries = PublicSightingQueries(maker.pool)
            guard try await queries.hasLosses(after: then.shown) else { return .different(made) }
        }
        return .restricted(
            records: try await maker.reader.restricted(in: BulkQuery(filter: query.filter), from: then, to: now))
    }

    /// The same knowledge under the restrictions of now.
    private func present(of moment: PublicMoment) async throws -> PublicMoment {
        let now = try await reads.source(BulkReader.plan, Asked(position: moment.shown)).moment
        return PublicMoment(
            known: moment.known, shown: now.shown, guarded: moment.guarded, settled: now.settled, of: moment.day)
    }
}
