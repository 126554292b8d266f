import CLibPQ

/// Where the database is and how sessions there are set up.
///
/// Made from what libpq takes: a URL (`postgres://…`) or `key=value` pairs, with `PG…` variables and the password file
/// for what is missing. Printing it shows host, database and role, never a password.
package struct PostgresConfiguration: Sendable {
    /// How long connecting may take, over all hosts; `connect_timeout` in the connection string overrides it.
    package var connectTimeout: Duration = .seconds(10)
    /// How long a statement may take, from the call to its answer, unless the call specifies another time. Then the
    /// connection is closed.
    package var statementDeadline: Duration = .seconds(10)
    /// Name under which sessions show up in `pg_stat_activity`.
    package var applicationName = "skein"
    /// Settings of every session, by name (`statement_timeout`, `search_path` …), sent with the connection's start.
    package var options: [String: String] = [
        "synchronous_commit": "on",
        // COPY in text format must not depend on how the server or the machine is set up.
        "DateStyle": "ISO",
        "TimeZone": "UTC",
        // The server ends the session, and releases its locks, about a minute after our host has vanished.
        "tcp_keepalives_idle": "30",
        "tcp_keepalives_interval": "10",
        "tcp_keepalives_count": "3",
        "tcp_user_timeout": "30000",
    ]
    /// How long a statement may wait in a connection's queue before it is sent; nil is for ever.
    package var maximumWait: Duration?
    /// Checks each new connection before it is used; if it throws, the connection is closed and the attempt has failed.
    package var check: (@Sendable (PostgresConnection) async throws(PostgresError) -> Void)?
    /// How many statements a connection keeps prepared.
    package var statementCapacity = 256

    private var parameters: [String: String]

    /// Takes a URL or `key=value` pairs.
    ///
    /// - Throws: ``PostgresError/Kind/configuration``. What libpq says about it is not passed on: it quotes the string,
    ///   which may hold a password.
    package init(_ connectionString: String) throws(PostgresError) {
        parameters = try ConnectionString.parse(connectionString)
        // libpq applies it to blocking calls only.
        if let seconds = parameters["connect_timeout"].flatMap({ Int($0) }), seconds > 0 {
            connectTimeout = .seconds(seconds)
        }
    }

    /// The role that connects.
    package var user: String { value("user") }

    /// The database; without one, the role's name, as libpq has it.
    package var database: String {
        let name = value("dbname")
        return name.isEmpty ? user : name
    }

    /// The host, or the directory of the Unix socket.
    package var host: String { value("host") }

    /// The port, as text because there may be several.
    package var port: String { value("port") }

    func value(_ keyword: String) -> String {
        parameters[keyword] ?? ConnectionString.defaults[keyword] ?? ""
    }

    /// A copy with other settings for its sessions; those not named stay.
    package func with(options more: [String: String]) -> PostgresConfiguration {
        var copy = self
        copy.options.merge(more) { $1 }
        return copy
    }

    /// A copy whose sessions the server ends or interrupts after these times; nil leaves what is set. The deadline on
    /// our side then comes after the server's.
    package func with(
        statementTimeout: Duration? = nil, lockTimeout: Duration? = nil, idleInTransactionTimeout: Duration? = nil
    ) -> PostgresConfiguration {
        var more: [String: String] = [:]
        more["statement_timeout"] = statementTimeout.map(Self.milliseconds)
        more["lock_timeout"] = lockTimeout.map(Self.milliseconds)
        more["idle_in_transaction_session_timeout"] = idleInTransactionTimeout.map(Self.milliseconds)
        var copy = with(options: more)
        if let statementTimeout { copy.statementDeadline = max(statementDeadline, statementTimeout * 5 / 4) }
        return copy
    }

    /// A copy for another database on the same server.
    package func with(database: String) -> PostgresConfiguration {
        with(parameters: ["dbname": database])
    }

    /// A copy with other connection parameters of libpq (`host`, `port`, `user`, `sslmode` …).
    package func with(parameters more: [String: String]) -> PostgresConfiguration {
        var copy = self
        copy.parameters.merge(more) { $1 }
        return copy
    }

    /// Rounded up: zero would mean no limit at all.
    private static func milliseconds(_ duration: Duration) -> String {
        "\(Int64((duration / .milliseconds(1)).rounded(.up)))ms"
    }
}

extension PostgresConfiguration {
    /// What libpq is given. What the connection string says wins over what we would like.
    var connectionParameters: [(keyword: String, value: String)] {
        let wishes = [
            "application_name": applicationName,
            "client_encoding": "UTF8",
            "gssencmode": "disable",
            "keepalives": "1",
            "keepalives_idle": "30",
            "keepalives_interval": "10",
            "keepalives_count": "3",
            "tcp_user_timeout": "30000",
        ]
        var all = wishes.merging(parameters) { $1 }
        let settings = options.sorted { $0.key < $1.key }.map { "-c \($0.key)=\(Self.escaped($0.value))" }
        all["options"] = ([parameters["options"] ?? ConnectionString.defaults["options"] ?? ""] + settings)
            .filter { !$0.isEmpty }.joined(separator: " ")
        return all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// In `options` blanks separate and backslashes escape.
    private static func escaped(_ value: String) -> String {
        value.map { $0 == "\\" || $0.isWhitespace ? "\\\($0)" : String($0) }.joined()
    }
}

extension PostgresConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Host, port, database and role.
    package var description: String {
        "PostgresConfiguration(host: \(host), port: \(port), database: \(database), user: \(user))"
    }

    /// As ``description``.
    package var debugDescription: String { description }

    /// `dump` shows no more than ``description``.
    package var customMirror: Mirror {
        Mirror(self, children: ["host": host, "port": port, "database": database, "user": user])
    }
}

/// libpq's own parser of connection strings.
enum ConnectionString {
    /// libpq's values for what a connection string omits: `PG…` variables, then its built-in defaults.
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
