internal import CLibPQ

/// libpq's own parser of connection strings.
enum ConnectionString {
    /// What libpq uses for what a connection string leaves out: `PG…` variables, then what it was built with.
    static let defaults: [String: String] = {
        guard let options = PQconndefaults() else { return [:] }
        defer { PQconninfoFree(options) }
        return values(options)
    }()

    /// - Throws: ``PostgresError/Kind/configuration``, without libpq's message, which quotes the string.
    static func parse(_ string: String) throws(PostgresError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        // libpq would read no further than a NUL.
        let options = string.utf8.contains(0) ? nil : PQconninfoParse(string, &message)
        defer { PQfreemem(message) }
        guard let options else {
            throw PostgresError(
                .configuration, "the connection string is neither a valid postgres:// URL nor valid key=value pairs",
                wasSent: false)
        }
        defer { PQconninfoFree(options) }
        return values(options)
    }

    private static func values(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        var found: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { found[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return found
    }
}
