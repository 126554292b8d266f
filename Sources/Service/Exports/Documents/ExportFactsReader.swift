package import Domain
import FoundationEssentials
import NIOConcurrencyHelpers
package import Postgres
import ReadModels
import Vault

/// Gathers what the documents of a revision say, as it was known at the moment of the revision.
package struct ExportFactsReader: Sendable {
    let subjects: ExportSubjects
    /// By position: a hash reads all taxa, and documents are requested again and again.
    private let versions = NIOLockedValueBox<[Int64: ListVersions]>([:])
    private static let mostVersions = 100

    init(subjects: ExportSubjects) {
        self.subjects = subjects
    }

    /// - Parameter named: the datasets that an operator named though they are not passed on.
    /// - Throws: what the database throws.
    package func facts(
        of made: ExportMade, _ subject: ExportSubject, named: Set<DatasetID> = [], _ pool: PostgresPool
    ) async throws -> ExportFacts {
        let known = Int64(made.moment.known)
        let contents = ExportFacts.Contents(
            rows: made.rows, records: subject.format == .ranges ? made.licences.reduce(0) { $0 + $1.rows } : nil,
            licences: Dictionary(made.licences.map { ($0.licence, $0.rows) }) { $0 + $1 },
            datasets: try await datasets(made.datasets, named, asOf: known, pool), generalised: made.generalised,
            replacedCharacters: made.replacedCharacters)
        let lists = try await versions(asOf: known, pool)
        return ExportFacts(
            subject: subject, revision: made.revision, contents: contents, leftOut: made.leftOut, bytes: made.bytes,
            sha256: made.sha256, members: made.members,
            versions: ExportFacts.Versions(
                taxonomy: lists.taxonomy, sensitivity: lists.sensitivity, polygons: made.polygons?.text,
                software: made.software?.text))
    }

    private func versions(asOf position: Int64, _ pool: PostgresPool) async throws -> ListVersions {
        if let known = versions.withLockedValue({ $0[position] }) { return known }
        let found = try await ExportVersionQueries(pool).versions(asOf: position)
        versions.withLockedValue { versions in
            if versions.count >= Self.mostVersions { versions = [:] }
            versions[position] = found
        }
        return found
    }

    private func datasets(
        _ rows: [DatasetRows], _ named: Set<DatasetID>, asOf position: Int64, _ pool: PostgresPool
    ) async throws -> [ExportFacts.Dataset] {
        guard !rows.isEmpty else { return [] }
        let contents = try await ContentStore(database: pool).content(
            of: rows.map(\.id.uuid), fields: [.title, .publisher, .citation], asOf: position)
        var licences: [DatasetID: Licence] = [:]
        for dataset in try await DatasetQueries(pool).datasets() { licences[dataset.id] = dataset.licence }
        return rows.map { dataset in
            let content = contents[dataset.id.uuid]
            return ExportFacts.Dataset(
                id: dataset.id, title: content?[.title] ?? "", publisher: content?[.publisher],
                licence: licences[dataset.id], citation: content?[.citation], rows: dataset.rows,
                isNamed: named.contains(dataset.id))
        }
    }
}
