import Bytes
import Crypto
import FoundationEssentials
import Glibc
import Logging

/// The folder that holds one private server: its cluster, socket, log and lock files.
///
/// `<data directory>/postgres`, unless root runs skein in a place that the server's user cannot enter.
struct ServerHome: Hashable, Sendable {
    let path: String
    let account: ServerAccount

    /// What `initdb` made.
    var cluster: String { path + "/data" }
    /// Where `initdb` works; renamed to `cluster` when it is complete, so that half a cluster is never started.
    var unfinishedCluster: String { path + "/data.new" }
    var logFile: String { path + "/log/postgres.log" }
    /// Held while the server is made, started, adopted or stopped.
    var startLock: String { path + "/start.lock" }
    /// Held for its lifetime by the one process that is to stop the server.
    var ownerLock: String { path + "/owner.lock" }
    /// Shared by every process that uses the server.
    var usersLock: String { path + "/users.lock" }

    /// Where the clusters go that root's data directory cannot hold.
    static let systemRoot = "/var/lib/skein"

    /// The socket's folder: in the home, or in `/tmp` where that path would be too long for a socket's address.
    var socketDirectory: String {
        let inside = path + "/run"
        let longest = Self.socketAddressLimit - "/.s.PGSQL.\(PrivateServer.port)".utf8.count - 1
        return inside.utf8.count <= longest ? inside : "/tmp/skein-" + Self.hash(path)
    }

    /// Whether a complete cluster is there.
    var hasCluster: Bool { Folder.owner(of: cluster) != nil }

    /// The content of the cluster's `PG_VERSION`, such as `15`; nil when there is no cluster.
    var clusterVersion: String? {
        FileManager.default.contents(atPath: cluster + "/PG_VERSION")
            .map { String(decoding: $0, as: UTF8.self).trimmed }
    }

    /// The size of Linux's `sun_path`.
    private static let socketAddressLimit = 108

    /// Chooses the home of a data directory and makes the folders that are missing.
    static func prepare(
        dataDirectory: String, systemRoot: String = systemRoot, logger: Logger
    ) async throws(PrivateServerError) -> ServerHome {
        try Folder.make(dataDirectory, mode: 0o755, parents: true)
        let directory = try Folder.resolved(dataDirectory)
        let inside = directory + "/postgres"
        let elsewhere = systemRoot + "/" + hash(directory)
        let existing = [inside, elsewhere].first { Folder.owner(of: $0 + "/data") != nil }
        let account = try ServerAccount.current(ownerOfCluster: existing.flatMap { Folder.owner(of: $0 + "/data") })
        var home = ServerHome(path: existing ?? inside, account: account)
        if home.path == inside, try await !account.canEnter(directory) {
            guard existing == nil else {
                throw .unusablePath(path: inside, reason: "the server's user (\(account.userID)) may not enter it")
            }
            home = ServerHome(path: elsewhere, account: account)
        }
        if home.path == elsewhere {
            logger.notice(
                "The private PostgreSQL is kept outside the data directory, which its user cannot enter",
                metadata: ["dataDirectory": "\(directory)", "cluster": "\(elsewhere)"])
        }
        try home.makeFolders()
        return home
    }

    func makeFolders() throws(PrivateServerError) {
        // pg_ctl hands these paths to a shell between double quotes.
        guard !path.contains(where: { "\"$`\\\n".contains($0) }) else {
            throw .unusablePath(path: path, reason: "it contains a quote, a dollar sign, a backslash or a line break")
        }
        // Root's home is root's, so that no other user can swap what is in it; the server's user only passes through.
        try Folder.make(path, mode: account.isOther ? 0o711 : 0o700, parents: true)
        for folder in [socketDirectory, path + "/log"] {
            try Folder.makePrivate(folder, for: account)
        }
    }

    /// 64 bits of the path's SHA-256 in hexadecimal digits.
    private static func hash(_ path: String) -> String {
        Hexadecimal.digits(of: SHA256.hash(data: Data(path.utf8)).prefix(8))
    }
}

/// The operating system's user that runs the server: this process's own, but never root, as which PostgreSQL does not
/// run.
struct ServerAccount: Hashable, Sendable {
    let userID: UInt32
    let groupID: UInt32
    /// The beginning of a command that runs it as this user; empty when this process runs as that user already.
    let prefix: [String]

    /// Whether the server runs as another user, for which this process must be root.
    var isOther: Bool { !prefix.isEmpty }

    /// This user; for root, whoever already owns the cluster, else `postgres`, else `nobody`.
    static func current(ownerOfCluster owner: UInt32?) throws(PrivateServerError) -> ServerAccount {
        guard geteuid() == 0 else { return ServerAccount(userID: geteuid(), groupID: getegid(), prefix: []) }
        guard let account = owner.flatMap(entry(of:)) ?? entry(named: "postgres") ?? entry(named: "nobody") else {
            throw .noAccountForRoot
        }
        guard let setpriv = SearchPlaces.system.program("setpriv") else { throw .programMissing("setpriv") }
        guard let env = SearchPlaces.system.program("env") else { throw .programMissing("env") }
        // In `/`, because PostgreSQL's programs fail in a working directory that their user may not read.
        let prefix = [
            setpriv, "--reuid=\(account.userID)", "--regid=\(account.groupID)", "--init-groups", "--inh-caps=-all",
            "--",
            env, "--chdir=/",
        ]
        return ServerAccount(userID: account.userID, groupID: account.groupID, prefix: prefix)
    }

    /// A run of one of PostgreSQL's programs by this user, with an environment in which nothing of the caller's
    /// (`PGDATA`, `PGOPTIONS`, a language) changes what it does or prints.
    func process(_ command: [String]) -> ChildProcess {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return ChildProcess(
            command: prefix + command, name: command.first,
            environment: ["PATH": path, "LC_ALL": "C", "TZ": "UTC", "HOME": "/"])
    }

    /// Whether this user may enter the folder: asked by trying, since access lists and mounts have a say too.
    func canEnter(_ directory: String) async throws(PrivateServerError) -> Bool {
        guard isOther else { return true }
        guard let test = SearchPlaces.system.program("test") else { throw .programMissing("test") }
        return try await process([test, "-x", directory + "/."]).run().status == 0
    }

    private static func entry(named name: String) -> (userID: UInt32, groupID: UInt32)? {
        getpwnam(name).map { ($0.pointee.pw_uid, $0.pointee.pw_gid) }
    }

    private static func entry(of userID: UInt32) -> (userID: UInt32, groupID: UInt32)? {
        guard userID != 0 else { return nil }
        return getpwuid(userID).map { ($0.pointee.pw_uid, $0.pointee.pw_gid) }
    }
}
