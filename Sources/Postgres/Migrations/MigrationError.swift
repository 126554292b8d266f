/// Why migrations were rejected or failed. Each names the file concerned.
package enum MigrationError: Error, Sendable {
    /// A file in the folder that is not called `NNNN_verb_object.sql`.
    case badName(String)
    /// Two files with one number.
    case duplicate(String, String)
    /// A number without a file, though there are higher ones.
    case gap(missing: Int)
    /// A folder or file that cannot be read.
    case unreadable(path: String, reason: String)
    /// The file is not what was applied to this database: its text has changed since.
    case drift(name: String)
    /// The database has applied the number under another name.
    case renamed(applied: String, file: String)
    /// The database was migrated by a newer program, in a way that this one cannot work with.
    case databaseNewer(unknown: [String])
    /// Another process was migrating the database for longer than this one was told to wait.
    case locked(Duration)
    /// A migration failed and was rolled back. The line, where the server named one, is that of the file.
    case failed(name: String, line: Int?, PostgresError)
    /// A migration ended its own transaction (COMMIT or ROLLBACK in its text); what it did may have to be undone by
    /// hand.
    case endedTransaction(name: String)
    /// The database could not be reached, or did not let us read or write the list of migrations.
    case database(PostgresError)
}

extension MigrationError {
    /// The server's code, where the server reported an error.
    package var sqlState: SQLState? {
        switch self {
        case .failed(_, _, let error), .database(let error): error.sqlState
        default: nil
        }
    }
}

extension MigrationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badName(let name):
            "\(name) is not a name for a migration: four digits, a verb and an object (0001_create_roles.sql)."
        case .duplicate(let first, let second):
            "\(first) and \(second) have the same number."
        case .gap(let missing):
            "Migration \(missing) is missing, though there are later ones."
        case .unreadable(let path, let reason):
            "\(path) could not be read: \(reason)."
        case .drift(let name):
            """
            \(name) is not what was applied to this database: another version of the program made it. Use that \
            version, or start with a new database or data directory. (Released migrations are never edited; add one.)
            """
        case .renamed(let applied, let file):
            "\(file) was applied to this database under the name \(applied)."
        case .databaseNewer(let unknown):
            """
            The database was migrated by a newer version of this program, incompatibly: \
            \(unknown.joined(separator: ", ")).
            """
        case .locked(let duration):
            "Another process has been migrating this database for \(duration)."
        case .failed(let name, let line, let error):
            "\(name) failed and was rolled back\(Self.place(line))\(Self.code(error)): \(error.message)"
        case .endedTransaction(let name):
            "\(name) ends its own transaction, which is the migrator's to end. Look at what it has left behind."
        case .database(let error):
            "The database could not be migrated\(Self.code(error)): \(error.message)"
        }
    }

    private static func place(_ line: Int?) -> String {
        line.map { " (line \($0))" } ?? ""
    }

    private static func code(_ error: PostgresError) -> String {
        error.sqlState.map { " (SQLSTATE \($0))" } ?? ""
    }
}
