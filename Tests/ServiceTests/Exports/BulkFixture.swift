import Domain
import EventLog
import Exchange
import Foundation
import ReadModels

@testable import Imports
@testable import Service

/// Imported and submitted records, and the bulk answers that hold them.
struct BulkFixture: Sendable {
    static let address = "https://skein.example.org"

    let cases: UseCaseFixture
    var log: ImportFixture { cases.log }

    static func run(_ body: @Sendable (BulkFixture) async throws -> Void) async throws {
        try await UseCaseFixture.run { try await body(BulkFixture(cases: $0)) }
    }

    /// Imports rows into a dataset that may be passed on.
    /// - Parameters:
    ///   - names: those of ``logTaxa(_:)``; nil for names that the log does not have.
    ///   - category: that of the Pacific Wren.
    func importRows(
        _ lines: [String], into title: String = ImportFixture.title, names: TaxonNames? = nil,
        category: SensitivityCategory? = nil,
        change: (inout OccurrenceImportRequest) -> Void = { _ in }
    ) async throws {
        var taxa = ImportFixture.smallTaxa
        if let category { taxa[2].sensitivity = category }
        let title = try DatasetTitle(title)
        let summary = try await log.importRows(
            try log.write("\(UUID()).csv", lines), names: names ?? TaxonNames(taxa)
        ) { request in
            (request.dataset, request.licence, request.republish) = (title, .by, .yes)
            change(&request)
        }
        guard summary.rejected.isEmpty else { throw Rejected(reasons: summary.rejected) }
    }

    /// Imports the Winter Wren, under an English name, and its ancestors. Answers as of later moments have them.
    @discardableResult
    func logTaxa(_ name: String = "Winter Wren") async throws -> TaxonNames {
        let header = "scientificName\trank\tparent\tkind\tauthorship\tnames"
        let lines = [
            header, "Animalia\tkingdom\t\tother\t\t", "Aves\tclass\tAnimalia\tbird\t\t",
            "Troglodytidae\tfamily\tAves\tbird\t\t", "Troglodytes\tgenus\tTroglodytidae\tbird\t\t",
            "Troglodytes hiemalis\tspecies\tTroglodytes\tbird\t(Vieillot, 1819)\ten:\(name)",
        ]
        _ = try await TaxaImport(log: log.log).run(try log.write("\(UUID()).tsv", lines))
        return TaxonNames(try await LoggedTaxa(log.pool).entries())
    }

    struct Rejected: Error { let reasons: [String: Int] }

    /// Folds everything. The moment is that of its end, with all months over.
    func moment() async throws -> PublicMoment {
        let head = try await cases.follow()
        return PublicMoment(known: head, shown: head)
    }

    /// A moderator hides texts of a record.
    func hide(_ stream: UUID, _ fields: [ContentField]) async throws {
        let moderator = AccountID(UUID())
        let identity = log.log.signer.identity(
            account: moderator.uuid, command: "HideSighting", target: stream, key: UUID(), request: .empty,
            actor: moderator.uuid)
        let hiding = HideSighting(moderator: moderator, reason: .personalData, fields: fields)
        let _: Outcome<SightingState> = try await log.log.store.change(stream, ifVersions: nil, identity) {
            try SightingDecider.decide(.hide(hiding), $0.state)
        }
    }

    /// An imported record is withdrawn for privacy.
    func withdraw(_ stream: UUID) async throws {
        let command = AppendCommand(
            stream: stream, kind: "sighting", expectedVersion: 1, id: UUID(),
            fingerprint: [UInt8](repeating: 1, count: 16), actor: nil,
            events: [.init(type: "SightingWithdrawn", payload: #"{"reason":"privacy"}"#)])
        _ = try await log.appender.append(command)
    }

    func reader(_ sizes: BulkReader.Sizes = BulkReader.Sizes()) -> BulkReader {
        BulkReader(log.pool, signer: log.log.signer, sizes: sizes)
    }

    func records(_ query: BulkQuery = BulkQuery()) async throws -> [BulkRecord] {
        var records: [BulkRecord] = []
        try await reader().eachBatch(query, asOf: try await moment()) { records += $0 }
        return records
    }

    /// The values of all records, by column, sorted by public id.
    func occurrences(_ query: BulkQuery = BulkQuery()) async throws -> [OutgoingOccurrence] {
        try await records(query).map { $0.occurrence(baseURL: Self.address) }
    }

    func text(
        _ query: BulkQuery = BulkQuery(), as format: ExportFormat = .csv, _ sizes: BulkReader.Sizes = BulkReader.Sizes()
    ) async throws -> String {
        guard let encoder = format.encoder else { return "" }
        var bytes: [UInt8] = []
        try await reader(sizes).writeText(
            of: query, asOf: try await moment(), with: encoder, baseURL: Self.address
        ) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
