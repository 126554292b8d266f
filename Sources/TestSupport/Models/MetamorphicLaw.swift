package import EventLog
package import Postgres
import Testing

/// Checks the law every read model obeys: folding event by event, in batches of several sizes, and all at once give the
/// same rows, and so does what a follower made. Compares by digest over the model's named columns.
/// - Parameter installed: also compare with the model's own schema, which must be at the head.
package func assertRebuildsEqual(
    _ model: ReadModel, _ pool: PostgresPool, installed: Bool = true, batches: [Int64] = [1, 2, 7, 100, .max]
) async throws {
    var digests: [Int64: [String: String]] = [:]
    for batch in batches {
        digests[batch] = try await digest(of: model, foldedBy: batch, pool)
    }
    let whole = try #require(digests[batches.last ?? .max])
    for (batch, digest) in digests { #expect(digest == whole, "\(model.schema) folded by \(batch)") }
    if installed { #expect(try await ModelDigest.of(model, pool) == whole, "\(model.schema) as followed") }
}

/// Builds the model in a schema aside, digests it, and drops it.
private func digest(of model: ReadModel, foldedBy batch: Int64, _ pool: PostgresPool) async throws -> [String: String] {
    let schema = "\(model.schema)_by_\(batch)"
    let head = try await LogOrigin.read(pool).position
    try await pool.transaction { connection in
        try await ModelInstaller.build(model, in: schema, connection)
        var position: Int64 = 0
        while position < head {
            let upTo = head - position > batch ? position + batch : head
            _ = try await connection.query("select \(identifier: schema).fold(\(position), \(upTo))")
            position = upTo
        }
    }
    let digest = try await ModelDigest.of(model, in: schema, pool)
    _ = try await pool.withExclusive { try await $0.query("drop schema \(identifier: schema) cascade") }
    return digest
}

/// The contents of a model's tables as one number each, to compare builds of it.
package enum ModelDigest {
    /// - Parameter schema: where the build to be digested lives; by default the model's own.
    /// - Returns: table → `<rows>:<md5 of all rows' named columns in the order of the columns>`.
    /// - Throws: `PostgresError`.
    package static func of(
        _ model: ReadModel, in schema: String? = nil, _ database: some PostgresQuerying
    ) async throws(PostgresError) -> [String: String] {
        var digests: [String: String] = [:]
        for (table, columns) in model.digest {
            let result = try await database.query(sql(schema ?? model.schema, table, columns))
            digests[table] = try result.onlyRow().decode("digest")
        }
        return digests
    }

    private static func sql(_ schema: String, _ table: String, _ columns: [String]) -> SQL {
        var list: SQL = ""
        for (index, column) in columns.enumerated() {
            list = index == 0 ? "\(identifier: column)" : "\(fragment: list), \(identifier: column)"
        }
        return """
            select count(*) || ':' || coalesce(md5(string_agg(line, E'\\n' order by line collate "C")), '') as digest
              from (select row(\(fragment: list))::text as line
                      from \(identifier: schema).\(identifier: table)) lines
            """
    }
}
