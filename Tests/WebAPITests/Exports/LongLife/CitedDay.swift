import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import TestSupport
import Testing

@testable import Service
@testable import Web

/// The exports of a day in all formats, as they were when they were cited.
struct CitedDay: Sendable {
    struct Export: Sendable {
        let format: ExportFormat
        let id: String
        let body: ByteBuffer
        let sha256: String
    }

    let day: CivilDate
    let exports: [Export]

    /// Has them made.
    init(_ day: CivilDate, _ served: ServedRoutes) async throws {
        self.day = day
        let caller = try await Caller.register(served)
        var ids: [(ExportFormat, String)] = []
        for format in ExportFormat.allCases {
            let asked = try await Self.ask(format, day, by: caller)
            try #require(asked.status == .accepted, "\(String(buffer: asked.body))")
            ids.append((format, try #require(try asked.text("id"))))
        }
        try await served.makeExports()
        var exports: [Export] = []
        for (format, id) in ids {
            let data = try await Caller.anonymous(served).send(.get, "/v1/exports/\(id)/data")
            try #require(data.status == .ok, "\(String(buffer: data.body))")
            exports.append(
                Export(format: format, id: id, body: data.body, sha256: Hexadecimal.sha256(of: data.body)))
        }
        self.exports = exports
    }

    func export(_ format: ExportFormat) throws -> Export {
        try #require(exports.first { $0.format == format })
    }

    private static func ask(_ format: ExportFormat, _ day: CivilDate, by caller: Caller) async throws -> TestResponse {
        let filter = format == .ranges ? #","filter":{"kind":"bird"}"# : ""
        return try await caller.send(
            .post, "/v1/exports", json: #"{"format":"\#(format.rawValue)","asOf":"\#(day)"\#(filter)}"#)
    }

    /// All who ask for them get the same ids, and the same bytes when nothing of them is left.
    func expectSame(_ served: ServedRoutes) async throws {
        let store = served.cases.exports.settings.store
        try await store.evictAll(served.database)
        #expect(try await store.checkedNames().isEmpty)
        try await served.followToHead()
        let (caller, anyone) = (try await Caller.register(served), Caller.anonymous(served))
        for export in exports {
            let asked = try await Self.ask(export.format, day, by: caller)
            #expect(try asked.status == .ok && asked.text("id") == export.id, "\(export.format)")
            let missing = try await anyone.send(.get, "/v1/exports/\(export.id)/data")
            #expect(try missing.problem == "export-not-ready", "\(export.format)")
        }
        try await served.makeExports()
        for export in exports {
            let data = try await anyone.send(.get, "/v1/exports/\(export.id)/data")
            #expect(data.status == .ok && data.body == export.body, "\(export.format)")
            let shown = try await anyone.send(.get, "/v1/exports/\(export.id)")
            #expect(try shown.text("state") == "ready" && shown["revisions"]?.items.count == 1)
            #expect(try shown.text("revisions.0.sha256") == export.sha256)
            let manifest = try await anyone.send(.get, "/v1/exports/\(export.id)/manifest")
            #expect(try manifest.text("sha256") == export.sha256)
            #expect(try await served.database.events("ExportMade", of: export.id) == 1)
        }
        #expect(try await store.checkedNames() == Set(exports.map(\.sha256)))
    }
}

extension ServedRoutes {
    /// Makes the exports that wait.
    func makeExports() async throws {
        try await followToHead()
        try await cases.exports.worker(logger: logger).work()
        try await followToHead()
    }
}
