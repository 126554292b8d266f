import FoundationEssentials

/// The folder with PostgreSQL's own programs, and the major version they are of.
///
/// Debian keeps them off the PATH, one folder a version, and several versions may be installed.
struct PostgresPrograms: Hashable, Sendable {
    /// `/usr/lib/postgresql/15/bin`, for instance.
    let directory: String
    /// `15`, for instance; the same text as a cluster's `PG_VERSION`.
    let majorVersion: String

    var initdb: String { directory + "/initdb" }
    var pgCtl: String { directory + "/pg_ctl" }
    var psql: String { directory + "/psql" }

    private static let needed = ["initdb", "pg_ctl", "pg_isready", "postgres", "psql"]

    /// The programs for a cluster of `version`, or without one the first that are found.
    static func find(
        forCluster version: String?, in places: SearchPlaces = .system
    ) async throws(PrivateServerError) -> PostgresPrograms {
        let directories = await places.directories()
        var found: [PostgresPrograms] = []
        for directory in directories where holdsAll(directory) {
            guard let majorVersion = await majorVersion(in: directory) else { continue }
            let programs = PostgresPrograms(directory: directory, majorVersion: majorVersion)
            if version == nil || version == majorVersion { return programs }
            found.append(programs)
        }
        guard let version, !found.isEmpty else { throw .programsNotFound(searched: directories) }
        throw .versionNotInstalled(cluster: version, installed: found.map(\.majorVersion))
    }

    private static func holdsAll(_ directory: String) -> Bool {
        needed.allSatisfy { FileManager.default.isExecutableFile(atPath: directory + "/" + $0) }
    }

    /// From `postgres (PostgreSQL) 15.8 (Debian 15.8-0+deb12u1)`; nil when the program does not run.
    private static func majorVersion(in directory: String) async -> String? {
        let command = [directory + "/postgres", "--version"]
        guard let output = try? await ChildProcess(command: command, environment: [:]).runChecked() else { return nil }
        let words = output.split(separator: " ")
        guard let word = words.first(where: { $0.first?.isNumber == true }) else { return nil }
        return String(word.prefix { $0.isNumber })
    }
}

/// Where PostgreSQL's programs are looked for, in this order: what `pg_config` says, the PATH, the folders that
/// packages use (the newest version first).
struct SearchPlaces: Sendable {
    /// The folders of `PATH`.
    var path: [String]
    /// Folders with one folder a version in them (`15`, `9.6`), each with a `bin`.
    var versioned: [String]

    static var system: SearchPlaces {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return SearchPlaces(
            path: path.split(separator: ":").map(String.init), versioned: ["/usr/lib/postgresql"])
    }

    /// Every folder to look in, once each.
    func directories() async -> [String] {
        var directories: [String] = []
        for directory in await configured() + path + packaged() where !directories.contains(directory) {
            directories.append(directory)
        }
        return directories
    }

    /// The absolute path of a program on the PATH.
    func program(_ name: String) -> String? {
        path.map { $0 + "/" + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private func configured() async -> [String] {
        guard let program = program("pg_config") else { return [] }
        let command = ChildProcess(command: [program, "--bindir"], environment: [:])
        return (try? await command.runChecked()).map { [$0] } ?? []
    }

    private func packaged() -> [String] {
        versioned.flatMap { root in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
            return names.compactMap { name in Double(name).map { (version: $0, name: name) } }
                .sorted { $0.version > $1.version }
                .map { root + "/" + $0.name + "/bin" }
        }
    }
}
