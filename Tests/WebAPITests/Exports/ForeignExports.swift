import Domain
import Foundation
import HummingbirdTesting
import Postgres
import ReadModels
import TestSupport
import Testing

@testable import Service
@testable import Web

/// Exports that this program would not make as they are in the log.
extension ExportScene {
    static let otherHash = Fingerprint(unchecked: String(repeating: "0c", count: 32))

    /// The newest revision of an export.
    func revision(of id: String) async throws -> ExportMade {
        try await served.followToHead()
        let view = try await served.cases.exports.reader.export(try #require(ExportID(id))).value
        return try #require(view.export.revisions.last)
    }

    /// Notes an export as made.
    func note(_ made: ExportMade, of id: String) async throws {
        try await worker().append(.make(made), to: try #require(ExportID(id)), "MakeExport")
        try await served.followToHead()
    }

    /// A revision of the day's records as it is recorded, with another hash than its bytes have.
    func otherRevision(by caller: Caller) async throws -> ExportMade {
        let csv = try #require(try await ask(by: caller).text("id"))
        try await make()
        var made = try await revision(of: csv)
        made.sha256 = Self.otherHash
        return made
    }

    /// An export of the day's records whose bytes had another hash when it was made.
    func madeOtherwise(by caller: Caller) async throws -> String {
        let made = try await otherRevision(by: caller)
        let id = try #require(try await ask(for: "tsv", by: caller).text("id"))
        try await note(made, of: id)
        return id
    }

    /// An export of the day's records that a program of another output version was asked for.
    func asked(ofVersion version: Int, by caller: Caller) async throws -> String {
        let (worker, account) = (worker(), try #require(caller.account))
        let query = ExportQuery(format: .csv, filter: RecordFilter(), day: day, outputVersion: version)
        let id = query.contentID(worker.signer)
        let command = worker.signer.identity(
            account: account.uuid, command: "RequestExport", key: UUID(), request: .empty, actor: account.uuid)
        let _: Outcome<ExportState>? = try await worker.store.beginOrChange(id.uuid, ifVersions: nil, command) {
            try ExportDecider.decide(.request(RequestExport(account: account, query: query)), $0)
        }
        try await served.followToHead()
        return id.description
    }

    /// Makes an export again to check it, as an operator does, when the day of the submissions is over.
    func verify(_ id: String) async throws -> ExportVerdict {
        let (cases, settings) = (served.cases, served.cases.exports.settings)
        let files = cases.exports.files(
            over: cases.ground.pool, in: settings.folder + "/files", disk: settings.disk)
        try await served.followToHead()
        let export = try #require(ExportID(id))
        return try await ServedRoutes.$now.withValue(later) { try await files.verify(export).verdict }
    }
}

extension TestDatabase {
    /// How many jobs an export has, of making it and of making it again.
    func exportJobs(of export: String) async throws -> Int {
        let subject = try #require(UUID(uuidString: export))
        return try await withConnection(owner) { owner in
            let count: Int64 = try await owner.query(
                "select count(*) as n from vault.jobs where kind like 'export%' and subject = \(subject)"
            ).onlyRow().decode("n")
            return Int(count)
        }
    }
}
