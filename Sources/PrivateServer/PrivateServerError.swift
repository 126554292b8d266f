/// What can go wrong while the private PostgreSQL of a data directory is found, made, started or stopped.
///
/// Every description is a sentence for the person at the terminal, and says what to do where something can be done.
package enum PrivateServerError: Error, Hashable, Sendable {
    /// No folder that was searched holds `initdb`, `pg_ctl`, `postgres` and `psql` together.
    case programsNotFound(searched: [String])
    /// The cluster was made by a major version whose programs are not installed.
    case versionNotInstalled(cluster: String, installed: [String])
    /// PostGIS is not installed for the server that runs.
    case postgisNotInstalled(majorVersion: String)
    /// PostgreSQL does not run as root, and neither `postgres` nor `nobody` exists to run it instead.
    case noAccountForRoot
    /// A program other than PostgreSQL's own is missing, such as `setpriv`.
    case programMissing(String)
    /// A path cannot be used; the reason says why.
    case unusablePath(path: String, reason: String)
    /// A lock of the data directory was not had in time: another process is starting or stopping the server.
    case lockTimedOut(path: String, seconds: Int)
    /// A program could not be started at all; the number is `errno`.
    case notStarted(program: String, errorNumber: Int32)
    /// A program ended with an error; `output` is the end of what it printed.
    case failed(program: String, status: Int32, output: String)
    /// The server did not come up; `log` is the end of its log.
    case serverDidNotStart(logFile: String, log: String)
    /// The server runs but did not accept connections in time.
    case serverNotReady(seconds: Int)
}

extension PrivateServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .programsNotFound(let searched):
            """
            PostgreSQL's server programs were not found in \(searched.joined(separator: ", ")). Install them \
            (Debian: apt-get install postgresql-15 postgresql-15-postgis-3) or set DATABASE_URL to a server of your own.
            """
        case .versionNotInstalled(let cluster, let installed):
            """
            The database was made by PostgreSQL \(cluster), but only \(installed.joined(separator: ", ")) is \
            installed. Install PostgreSQL \(cluster) or choose another data directory.
            """
        case .postgisNotInstalled(let version):
            """
            PostGIS is not installed for PostgreSQL \(version) \
            (Debian: apt-get install postgresql-\(version)-postgis-3).
            """
        case .noAccountForRoot:
            "PostgreSQL does not run as root, and there is neither a user 'postgres' nor a user 'nobody' to run it."
        case .programMissing(let program):
            "The program '\(program)' was not found on the PATH."
        case .unusablePath(let path, let reason):
            "\(path) cannot be used: \(reason)."
        case .lockTimedOut(let path, let seconds):
            "\(path) was locked for \(seconds) seconds: another process is starting or stopping the server."
        case .notStarted(let program, let errorNumber):
            "\(program) could not be started: \(describe(errorNumber: errorNumber))."
        case .failed(let program, let status, let output):
            "\(program) failed with status \(status): \(output)"
        case .serverDidNotStart(let logFile, let log):
            "PostgreSQL did not start. The end of \(logFile): \(log)"
        case .serverNotReady(let seconds):
            "PostgreSQL runs but accepted no connection for \(seconds) seconds."
        }
    }
}
