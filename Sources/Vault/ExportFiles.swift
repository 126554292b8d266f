package import Domain
package import Postgres

/// The files in the store of exports, which all processes share. The one that was read least recently leaves first.
///
/// A file is noted before it is stored, and again after it, so that none is forgotten there.
package struct ExportFiles: Sendable {
    /// A file that others have outlived.
    package struct Old: Sendable {
        package let sha256: Fingerprint
        /// As the database writes it.
        fileprivate let readAt: String
    }

    private let database: any PostgresQuerying

    /// Reads and writes through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// Notes a file that is about to be stored, or was stored just now.
    package func add(_ sha256: Fingerprint, bytes: Int) async throws(PostgresError) {
        try await database.query(
            """
            INSERT INTO vault.export_files (sha256, bytes) VALUES (\(sha256.text), \(Int64(bytes)))
            ON CONFLICT (sha256) DO UPDATE SET read_at = log.clock(), stored_at = log.clock()
            """)
    }

    /// Notes that a file is read, once a minute.
    /// - Returns: whether there is such a file.
    package func read(_ sha256: Fingerprint) async throws(PostgresError) -> Bool {
        try await database.query(
            """
            WITH found AS (
                SELECT f.sha256, f.read_at < log.clock() - interval '1 minute' AS is_old
                  FROM vault.export_files f WHERE f.sha256 = \(sha256.text)),
            noted AS (
                UPDATE vault.export_files f SET read_at = log.clock() FROM found n
                 WHERE f.sha256 = n.sha256 AND n.is_old)
            SELECT count(*) > 0 AS found FROM found
            """
        ).onlyRow().decode("found")
    }

    /// Whether a file was stored so long after a moment that whoever stored it had read nothing before it.
    package func isStored(
        _ sha256: Fingerprint, _ margin: Duration, after moment: Instant
    ) async throws(PostgresError) -> Bool {
        try await database.query(
            """
            SELECT EXISTS (SELECT FROM vault.export_files f
                            WHERE f.sha256 = \(sha256.text)
                              AND f.stored_at > \(moment.text())::text::timestamptz
                                                + make_interval(secs => \(margin / .seconds(1)))) AS found
            """
        ).onlyRow().decode("found")
    }

    /// The files that are stored, or about to be.
    package func all() async throws(PostgresError) -> Set<Fingerprint> {
        let result = try await database.query("SELECT f.sha256 FROM vault.export_files f")
        var files: Set<Fingerprint> = []
        for row in result.rows { files.insert(Fingerprint(unchecked: try row.decode("sha256"))) }
        return files
    }

    /// Those of some files that are stored, or about to be. They do not count as read.
    package func stored(among files: [Fingerprint]) async throws(PostgresError) -> Set<Fingerprint> {
        guard !files.isEmpty else { return [] }
        let result = try await database.query(
            "SELECT f.sha256 FROM vault.export_files f WHERE f.sha256 = ANY(\(files.map(\.text)))")
        var stored: Set<Fingerprint> = []
        for row in result.rows { stored.insert(Fingerprint(unchecked: try row.decode("sha256"))) }
        return stored
    }

    /// Forgets a file.
    package func remove(_ sha256: Fingerprint) async throws(PostgresError) {
        try await database.query("DELETE FROM vault.export_files WHERE sha256 = \(sha256.text)")
    }

    /// Forgets a file that is not in the store. One that was noted in the last hour may be on its way there.
    package func removeLost(_ sha256: Fingerprint) async throws(PostgresError) {
        try await database.query(
            """
            DELETE FROM vault.export_files
             WHERE sha256 = \(sha256.text) AND stored_at < log.clock() - interval '1 hour'
            """)
    }

    /// The files that were read least recently, without which the rest has at most some bytes. The newest one stays.
    package func beyond(_ bytes: Int) async throws(PostgresError) -> [Old] {
        let result = try await database.query(
            """
            SELECT s.sha256, s.read_at::text AS read_at
              FROM (SELECT f.sha256, f.read_at,
                           sum(f.bytes) OVER (ORDER BY f.read_at DESC, f.sha256) AS total,
                           row_number() OVER (ORDER BY f.read_at DESC, f.sha256) AS number
                      FROM vault.export_files f) s
             WHERE s.number > 1 AND s.total > \(Int64(bytes))
            """)
        var files: [Old] = []
        for row in result.rows {
            files.append(
                Old(sha256: Fingerprint(unchecked: try row.decode("sha256")), readAt: try row.decode("read_at")))
        }
        return files
    }

    /// Forgets a file, unless it was read or stored since.
    package func remove(_ file: Old) async throws(PostgresError) {
        try await database.query(
            """
            DELETE FROM vault.export_files
             WHERE sha256 = \(file.sha256.text) AND read_at = \(file.readAt)::text::timestamptz
            """)
    }
}
