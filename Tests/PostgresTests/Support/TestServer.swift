import Foundation
import Postgres
import TestSupport

/// A PostgreSQL server of the tests' own, in a directory of its own under /tmp, reached through a Unix socket there.
///
/// A shell guards it: it stops the server and removes the directory when its standard input ends, which happens even
/// when the test process is killed.
final class TestServer: Sendable {
    /// The server does not start.
    struct NotStarted: Error {
        /// What `initdb` and `pg_ctl` printed, and the server's log.
        let logs: String
    }

    let directory: String
    private let guardian = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// The server that most tests share.
    static var shared: TestServer {
        get async throws { try await starting.value }
    }

    private static let starting = Task { try await TestServer() }

    /// - Parameters:
    ///   - settings: lines for postgresql.conf; `@` stands for ``directory``.
    ///   - files: made in ``directory`` before the server starts, readable by it alone.
    /// - Throws: ``NotStarted``, and what the file system throws.
    init(settings: [String] = [], files: [String: String] = [:]) async throws {
        directory = "/tmp/sk-\(UUID().uuidString.prefix(8))"
        try await blocking { [self] in try start(settings, files) }
    }

    private func start(_ settings: [String], _ files: [String: String]) throws {
        guardian.executableURL = URL(filePath: "/bin/sh")
        guardian.arguments = ["-c", Self.script, "sh", directory]
        guardian.standardInput = input
        guardian.standardOutput = output
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for (name, contents) in files {
            try contents.write(toFile: "\(directory)/\(name)", atomically: true, encoding: .utf8)
        }
        let base = [
            "listen_addresses = ''", "unix_socket_directories = '@'", "fsync = off", "full_page_writes = off",
            "max_connections = 400", "shared_buffers = 32MB", "autovacuum = off",
        ]
        let lines = (base + settings).map { $0.replacing("@", with: directory) }
        try lines.joined(separator: "\n").write(
            toFile: "\(directory)/extra.conf", atomically: true, encoding: .utf8)
        try guardian.run()
        let answer = output.fileHandleForReading.availableData
        guard String(decoding: answer, as: UTF8.self).contains("ready") else {
            let logs = ["start.log", "log"].compactMap { name in
                try? String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)
            }
            throw NotStarted(logs: logs.joined(separator: "\n"))
        }
    }

    private static let script = """
        dir=$1
        bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
        as=
        if [ "$(id -u)" = 0 ]; then
            as="setpriv --reuid=postgres --regid=postgres --clear-groups"
            chown -R postgres:postgres "$dir"
        fi
        chmod 700 "$dir"
        find "$dir" -type f -exec chmod 600 {} +
        export LC_ALL=C
        cd "$dir"
        {
            $as "$bin/initdb" -D "$dir/data" -U skein -A trust -E UTF8 --locale=C --no-sync
            cat "$dir/extra.conf" >> "$dir/data/postgresql.conf"
            [ -f "$dir/hba.conf" ] && cat "$dir/hba.conf" > "$dir/data/pg_hba.conf"
            $as "$bin/pg_ctl" -w -D "$dir/data" -l "$dir/log" start
        } > "$dir/start.log" 2>&1 < /dev/null && echo ready || echo failed
        while read -r command; do
            $as "$bin/pg_ctl" -w -D "$dir/data" -l "$dir/log" $command > "$dir/ctl.log" 2>&1 < /dev/null
            echo done
        done
        $as "$bin/pg_ctl" -D "$dir/data" -m immediate stop > /dev/null 2>&1 < /dev/null
        rm -rf "$dir"
        """

    /// Has the guardian run `pg_ctl` with `command` (`stop -m fast`, `start`), and waits for it.
    func control(_ command: String) async throws {
        _ = try await blocking { [input, output] in
            try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
            return output.fileHandleForReading.availableData
        }
    }

    /// How to connect through the Unix socket, with time limits that only a hang reaches.
    var configuration: PostgresConfiguration {
        get throws {
            var configuration = try PostgresConfiguration("host=\(directory) user=skein dbname=postgres")
            (configuration.statementDeadline, configuration.connectTimeout) = (Hang.deadline, Hang.deadline)
            return configuration
        }
    }
}
