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

/// Tables of ranges over the routes.
struct RangeExportScene: Sendable {
    let exports: ExportScene
    let ranges: RangeScene
    let caller: Caller

    static func run(_ body: @Sendable (RangeExportScene) async throws -> Void) async throws {
        try await ExportScene.run { exports in
            try await body(
                RangeExportScene(
                    exports: exports, ranges: try await RangeScene(exports.served),
                    caller: try await Caller.register(exports.served)))
        }
    }

    /// Has a table made of what is known now, or at the end of the day.
    /// - Parameter filter: its members.
    /// - Returns: the id.
    func make(_ filter: String? = nil, asOf day: CivilDate? = nil) async throws -> String {
        let filter = filter ?? #""taxon":"\#(ranges.wren)""#
        let asOf = day.map { #","asOf":"\#($0)""# } ?? ""
        try await exports.served.followToHead()
        let asked = try await exports.ask(#"{"format":"ranges","filter":{\#(filter)}\#(asOf)}"#, by: caller)
        try #require(asked.status.kind == .successful, "\(String(buffer: asked.body))")
        try await exports.make()
        return try #require(try asked.text("id"))
    }

    /// The rows of a table, each by its columns.
    func rows(_ id: String) async throws -> [[String: String]] {
        try Self.rows(of: try await exports.data(id))
    }

    static func rows(of data: TestResponse) throws -> [[String: String]] {
        try #require(data.status == .ok, "\(String(buffer: data.body))")
        let lines = String(buffer: data.body).components(separatedBy: "\r\n").dropLast()
        let columns = try #require(lines.first).components(separatedBy: ",")
        return lines.dropFirst().map { line in
            Dictionary(uniqueKeysWithValues: zip(columns, line.components(separatedBy: ",")))
        }
    }

    func diff(_ id: String, _ other: String, _ query: String = "") async throws -> TestResponse {
        try await exports.served.followToHead()
        return try await exports.send(.get, "/v1/exports/\(id)/diff?with=\(other)\(query)")
    }
}
