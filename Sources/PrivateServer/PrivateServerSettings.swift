/// What the private server is told in its `postgresql.conf`.
///
/// The defaults suit development and honest measuring on one machine: nothing that makes a commit durable is off.
package struct PrivateServerSettings: Hashable, Sendable {
    /// `shared_buffers`, in mebibytes.
    package var sharedBuffersMebibytes = 512
    /// `max_connections`.
    package var maxConnections = 100
    /// `max_wal_size`, in gibibytes: a small one makes checkpoints, not statements, the thing that is measured.
    package var maxWALSizeGibibytes = 4
    /// `fsync`. Off only in tests that say so, since a crash of the machine then loses the cluster.
    package var fsync = true

    /// The settings of `skein serve` on a private server.
    package static let development = PrivateServerSettings()

    /// For tests: many short connections, little memory; as durable as the real thing.
    package static let tests = PrivateServerSettings(
        sharedBuffersMebibytes: 128, maxConnections: 200, maxWALSizeGibibytes: 2)

    /// Settings with the development defaults where nothing is given.
    package init(
        sharedBuffersMebibytes: Int = 512, maxConnections: Int = 100, maxWALSizeGibibytes: Int = 4, fsync: Bool = true
    ) {
        self.sharedBuffersMebibytes = sharedBuffersMebibytes
        self.maxConnections = maxConnections
        self.maxWALSizeGibibytes = maxWALSizeGibibytes
        self.fsync = fsync
    }

    /// The text of `postgresql.conf` for a server on a Unix socket in `socketDirectory` and nowhere else.
    func configuration(socketDirectory: String) -> String {
        """
        # Written by skein at every start; changes do not last.
        listen_addresses = ''
        unix_socket_directories = \(Self.quoted("\"\(socketDirectory)\""))
        unix_socket_permissions = 0700
        port = \(PrivateServer.port)

        max_connections = \(maxConnections)
        shared_buffers = \(sharedBuffersMebibytes)MB
        max_locks_per_transaction = 256     # one statement may touch every partition of the log

        fsync = \(fsync ? "on" : "off")
        synchronous_commit = on
        full_page_writes = on
        max_wal_size = \(maxWALSizeGibibytes)GB
        checkpoint_timeout = 15min
        autovacuum = on
        jit = off                           # compiling costs more than these short statements
        random_page_cost = 1.1

        timezone = 'UTC'
        log_timezone = 'UTC'
        log_line_prefix = '%m [%p] %q%u@%d '
        log_checkpoints = off
        # Neither parameters nor details: both quote rows, and rows hold addresses and places.
        log_error_verbosity = terse
        log_parameter_max_length = 0
        log_parameter_max_length_on_error = 0

        """
    }

    /// A string value as the configuration file wants it.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "''") + "'"
    }
}
