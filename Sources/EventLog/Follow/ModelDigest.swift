package import Postgres

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
