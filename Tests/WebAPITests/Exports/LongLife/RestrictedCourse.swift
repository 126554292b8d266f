import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Postgres
import ReadModels
import TestSupport
import Testing

@testable import Service
@testable import Web

/// The revisions of an export that is restricted again and again.
struct RestrictedCourse {
    let served: ServedRoutes
    let export: CitedDay.Export
    private(set) var revision = 1
    private(set) var table: OccurrenceTable
    private var sha256: String

    init(_ served: ServedRoutes, _ export: CitedDay.Export) throws {
        (self.served, self.export) = (served, export)
        (table, sha256) = (try OccurrenceTable(export.body), export.sha256)
    }

    /// The present revision is restricted, its bytes are gone, and the next one is made.
    /// - Parameter now: the clock of requests; nil for the real one.
    mutating func advance(at now: Instant? = nil) async throws {
        try await Self.look(served, at: now)
        try await Self.expectGone(served, export, revision, sha256, at: now)
        try await served.letAnHourPass()
        let body = try await ServedRoutes.$now.withValue(now) {
            let waiting = try await Caller.anonymous(served).send(.get, "/v1/exports/\(export.id)/data")
            #expect(try waiting.problem == "export-not-ready")
            try await served.makeExports()
            let path = "/v1/exports/\(export.id)/data?revision=\(revision + 1)"
            let data = try await Caller.anonymous(served).send(.get, path)
            try #require(data.status == .ok, "\(String(buffer: data.body))")
            return data.body
        }
        revision += 1
        (table, sha256) = (try OccurrenceTable(body), Hexadecimal.sha256(of: body))
    }

    /// The service looks at its exports, as it does every few seconds.
    static func look(_ served: ServedRoutes, at now: Instant? = nil) async throws {
        try await served.followToHead()
        try await ServedRoutes.$now.withValue(now) { try await served.cases.exports.watch.look() }
        try await served.followToHead()
    }

    /// A revision is not given out, names its successor, and has no bytes, but keeps its manifest.
    static func expectGone(
        _ served: ServedRoutes, _ export: CitedDay.Export, _ revision: Int, _ sha256: String, at now: Instant? = nil
    ) async throws {
        try await ServedRoutes.$now.withValue(now) {
            let (anyone, path) = (Caller.anonymous(served), "/v1/exports/\(export.id)")
            let gone = try await anyone.send(.get, "\(path)/data?revision=\(revision)")
            #expect(try gone.status == .gone && gone.problem == "export-restricted", "\(export.format) \(revision)")
            let link = "<\(path)/data?revision=\(revision + 1)>; rel=\"successor-version\""
            #expect(gone.headers[.link] == link)
            #expect(try await !served.cases.exports.settings.store.checkedNames().contains(sha256))
            let manifest = try await anyone.send(.get, "\(path)/manifest?revision=\(revision)")
            #expect(try manifest.status == .ok && manifest.text("sha256") == sha256)
            // Its route would have the next one made.
            let id = try #require(ExportID("\(export.id)"))
            let shown = try await served.cases.exports.reader.export(id).value.export
            #expect(shown.restricted.contains(revision))
        }
    }
}

extension ServedRoutes {
    /// As if all revisions had been made two hours earlier: later ones are made hourly at most.
    fileprivate func letAnHourPass() async throws {
        try await database.withConnection(database.owner) { owner in
            _ = try await owner.query(
                """
                update \(identifier: ReadModel.exports.schema).revisions
                   set made_at = made_at - interval '2 hours'
                """)
        }
    }
}
