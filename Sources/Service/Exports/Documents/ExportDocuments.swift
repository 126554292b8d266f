package import Domain
import ReadModels

/// Reads the facts that the documents of exports state. Documents outlive the bytes: restricted revisions, and those of
/// an earlier output version, have them, too.
package struct ExportDocuments: Sendable {
    let reader: ExportReader
    let facts: ExportFactsReader
    private static let plan = ReadPlan(.exports, .taxa, .datasets, .sightingsPublic)

    /// The facts of a revision.
    /// - Parameter number: nil for the newest revision.
    /// - Throws: ``ExportRequestRejection/notReady(_:wait:)`` where nothing was made yet, ``CommandError/notFound``
    ///   where there is no such export or revision; as ``Reads/read(_:_:_:)``.
    package func facts(
        of id: ExportID, revision number: Int?, _ asked: Asked = Asked()
    ) async throws -> Shown<ExportFacts> {
        let shown = try await reader.export(id, asked)
        let export = shown.value.export
        guard let newest = export.revisions.last else {
            throw ExportRequestRejection.notReady(shown.value.state, wait: shown.value.wait)
        }
        let made = number.map { number in export.revisions.first { $0.revision == number } } ?? newest
        guard let made else { throw CommandError.notFound }
        let found = try await reader.reads.read(Self.plan, Asked(position: shown.position)) { [facts] source in
            let subject = try await facts.subjects.subject(
                export.id, export.query, asOf: Int64(made.moment.known), requested: export.requestedAt, source.pool)
            return try await facts.facts(of: made, subject, source.pool)
        }
        return Shown(value: found.value, moment: shown.moment)
    }
}
