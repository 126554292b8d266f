import Foundation
import Postgres
import PrivateServer

/// The statements that the service sends for one request, with their values, from PostgreSQL's own log.
struct RouteStatements: Sendable {
    struct Statement: Hashable, Sendable {
        var text: String
        /// Nil for NULL.
        var values: [String?] = []
    }

    let statements: [Statement]

    /// Sends the same request several times with the server logging all statements, and takes those that came each
    /// time: the service's periodic statements are left out.
    /// - Throws: ``ProgramError`` when there is none, or the server does not log.
    static func taken(_ log: ServedLog, _ request: () async throws -> Void) async throws -> RouteStatements {
        let laboratory = log.laboratory
        let owner = try laboratory.owner(PrivateServer.database)
        let settings = [
            "log_statement": "'all'", "log_error_verbosity": "'default'", "log_parameter_max_length": "-1",
            "log_line_prefix": "'%d '",
        ]
        // Prepared already, so that only what each request sends is logged.
        try await request()
        try await laboratory.withConnection(owner) { connection in
            for (name, value) in settings { try await connection.executeScript("alter system set \(name) = \(value)") }
            try await connection.executeScript("select pg_reload_conf()")
        }
        let start = try await settled(laboratory)
        for _ in 0..<repetitions { try await request() }
        try await laboratory.withConnection(owner) { connection in
            for name in settings.keys { try await connection.executeScript("alter system reset \(name)") }
            try await connection.executeScript("select pg_reload_conf()")
        }
        let logged = try String(contentsOfFile: laboratory.server.logFile, encoding: .utf8).utf8.dropFirst(start)
        let found = parsed(String(Substring(logged)), database: log.service.database)
        let counts = Dictionary(grouping: found, by: \.text).mapValues(\.count)
        let ofEachRequest = found.filter { counts[$0.text, default: 0] >= repetitions }
        let perRequest = ofEachRequest.count / repetitions
        guard perRequest > 0 else { throw ProgramError(description: "the server has logged no statement of the route") }
        return RouteStatements(statements: Array(ofEachRequest.suffix(perRequest)))
    }

    /// More than the service sends by itself of any statement meanwhile.
    private static let repetitions = 20

    /// Waits until every server process has the new settings: each reads them before its next statement.
    /// - Returns: the size of the server's log.
    private static func settled(_ laboratory: Laboratory) async throws -> Int {
        try await Task.sleep(for: .seconds(1))
        return try String(contentsOfFile: laboratory.server.logFile, encoding: .utf8).utf8.count
    }

    /// Entries look like `reading LOG:  execute s7: select …` and, after it, `reading DETAIL:  parameters: $1 = '…'`.
    /// Further lines of an entry begin with a tab.
    private static func parsed(_ log: String, database: String) -> [Statement] {
        var statements: [Statement] = []
        let entries = log.replacing("\n\t", with: "\n\u{1}").split(separator: /\n(?!\x01)/)
        for entry in entries.map({ $0.replacing("\u{1}", with: "") }) {
            if let match = entry.prefixMatch(of: #/(\w+) LOG:  (?:execute [^:]+|statement): /#) {
                guard match.1 == database else { continue }
                statements.append(Statement(text: String(entry[match.range.upperBound...])))
            } else if let match = entry.prefixMatch(of: #/(\w+) DETAIL:  parameters: /#), match.1 == database {
                let values = entry[match.range.upperBound...].matches(of: /\$\d+ = (?:NULL|'((?:[^']|'')*)')/)
                guard !statements.isEmpty else { continue }
                statements[statements.count - 1].values = values.map { value in
                    value.1.map { String($0).replacing("''", with: "'") }
                }
            }
        }
        return statements
    }
}

extension RouteStatements {
    /// The statements as a script for pgbench, with a variable for each value.
    ///
    /// pgbench sends values as text and names no types, where our client names them all; a cast does the same.
    var script: (text: String, variables: [String: String]) {
        var variables: [String: String] = [:]
        let texts = statements.enumerated().map { index, statement in
            statement.text.replacing(/\$(\d+)/) { match in
                guard let number = Int(match.1), statement.values.indices.contains(number - 1),
                    let value = statement.values[number - 1]
                else { return "null" }
                let name = "s\(index)_\(number)"
                variables[name] = value
                return ":\(name)::\(Self.type(of: value))"
            } + ";\n"
        }
        return (texts.joined(), variables)
    }

    /// The type our client sends such a value with.
    private static func type(of value: String) -> String {
        let isList = value.hasPrefix("{") && value.hasSuffix("}")
        let element = isList ? String(value.dropFirst().prefix { $0 != "," && $0 != "}" }) : value
        let type =
            UUID(uuidString: element) != nil
            ? "uuid" : Int64(element) != nil ? "bigint" : Double(element) != nil ? "float8" : "text"
        return type + (isList ? "[]" : "")
    }
}
