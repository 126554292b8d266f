import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// The statements that sessions send, and the plans by which the server runs these and the statements inside functions.
///
/// The server reports both in notices, which arrive before the statement's result: `log_statement` and `auto_explain`.
struct StatementWatch: Sendable {
    /// A step of a plan that reads a table or an index.
    struct Scan: Sendable, Hashable {
        /// `Seq Scan`, `Index Scan` …
        let kind: String
        let relation: String
        /// Rows read, those that a filter removed included, over all loops.
        let rows: Int
    }

    let log = LogCapture()

    /// How watched sessions begin: as the owner, whom the server lets change these settings.
    /// - Parameter plans: `plan_cache_mode`.
    func sessions(of database: TestDatabase, planning plans: String) -> PostgresConfiguration {
        database.owner.with(options: [
            "session_preload_libraries": "auto_explain", "auto_explain.log_min_duration": "0",
            "auto_explain.log_format": "json", "auto_explain.log_level": "notice", "auto_explain.log_analyze": "on",
            "auto_explain.log_timing": "off", "auto_explain.log_nested_statements": "on",
            "plan_cache_mode": plans, "log_statement": "all", "client_min_messages": "log", "log_min_messages": "fatal",
        ])
    }

    /// What the server reported while something ran.
    func reports(_ body: () async throws -> Void) async throws -> (statements: [String], scans: [Scan]) {
        let earlier = log.all.count
        try await body()
        let notices = log.all[earlier...].filter { $0.message == "notice from the database" }
        let messages = notices.compactMap { $0.metadata["message"] }
        let statements = messages.filter { $0.hasPrefix("execute ") || $0.hasPrefix("statement: ") }
        return (statements, try messages.flatMap(Self.scans))
    }

    /// The statements that ran while something ran, those in functions included, and the rows that passed through the
    /// steps of their plans, those that filters removed included: what a plan costs, without the noise of time.
    func works(_ body: () async throws -> Void) async throws -> [(statement: String, rows: Int)] {
        let earlier = log.all.count
        try await body()
        return try log.all[earlier...].compactMap { $0.metadata["message"] }.compactMap(Self.report).map { report in
            (try #require(report["Query Text"]?.string), Self.rows(below: try #require(report["Plan"])))
        }
    }

    /// Runs something.
    /// - Returns: the statements that the server reported meanwhile, those inside functions included; and the names of
    ///   the models for which reads waited.
    func reads(_ body: () async throws -> Void) async throws -> (reports: [String], models: Set<String>) {
        let earlier = log.all.count
        try await body()
        let lines = log.all[earlier...]
        let models = lines.filter { $0.message == "reading" }
            .flatMap { $0.metadata["models"]?.split(separator: " ") ?? [] }
        return (lines.compactMap { $0.metadata["message"] }, Set(models.map(String.init)))
    }

    private static func rows(below node: JSONValue) -> Int {
        let passed = passing.reduce(0) { $0 + (node[$1]?.integer ?? 0) } * (node["Actual Loops"]?.integer ?? 0)
        return passed + (node["Plans"]?.items ?? []).reduce(0) { $0 + rows(below: $1) }
    }

    private static let passing = [
        "Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck", "Rows Removed by Join Filter",
    ]

    private static func report(in message: String) throws -> JSONValue? {
        guard message.hasPrefix("duration: "), let start = message.firstIndex(of: "{") else { return nil }
        return try JSONValue(parsing: Array(message[start...].utf8))
    }

    private static func scans(in message: String) throws -> [Scan] {
        try report(in: message).map { scans(below: try #require($0["Plan"])) } ?? []
    }

    private static func scans(below node: JSONValue) -> [Scan] {
        let deeper = node["Plans"]?.items.flatMap(scans(below:)) ?? []
        guard let kind = node["Node Type"]?.string, kind.hasSuffix(" Scan"),
            let relation = node["Relation Name"]?.string ?? node["Index Name"]?.string
        else { return deeper }
        let rows = ["Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck"]
            .reduce(0) { $0 + (node[$1]?.integer ?? 0) }
        return deeper + [Scan(kind: kind, relation: relation, rows: rows * (node["Actual Loops"]?.integer ?? 0))]
    }
}
