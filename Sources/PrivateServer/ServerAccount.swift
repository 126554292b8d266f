internal import FoundationEssentials
internal import Glibc

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
