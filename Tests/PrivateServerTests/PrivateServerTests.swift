import Bytes
import Foundation
import Logging
import Testing

@testable import PrivateServer

struct PrivateServerTests {
    private let logger = Logger(label: "test")

    private func startOrAdopt(_ path: String) async throws -> PrivateServer {
        try await PrivateServer.startOrAdopt(dataDirectory: path, settings: .tests, logger: logger)
    }

    @Test func `a new cluster has what Skein relies on`() async throws {
        try await withPrivateServer { server, _ in
            #expect(server.origin == .made)
            let settings = try await server.query(
                """
                SELECT string_agg(name || '=' || setting, ' ' ORDER BY name) FROM pg_settings WHERE name IN
                ('listen_addresses', 'server_encoding', 'data_checksums', 'TimeZone', 'fsync', 'synchronous_commit',
                 'autovacuum', 'lc_collate', 'max_connections')
                """)
            #expect(
                settings == """
                    TimeZone=UTC autovacuum=on data_checksums=on fsync=on lc_collate=C.UTF-8 listen_addresses= \
                    max_connections=200 server_encoding=UTF8 synchronous_commit=on
                    """)
            #expect(try await server.query("SELECT extname FROM pg_extension WHERE extname = 'postgis'") == "postgis")
            #expect(
                try await server.query("SELECT rolname, rolsuper FROM pg_roles WHERE rolname LIKE 'skein%' ORDER BY 1")
                    == "skein_owner|t\nskein_service|f")
        }
    }

    @Test func `what was written is there after a stop and a start`() async throws {
        try await withScratchFolder { path in
            let first = try await startOrAdopt(path)
            try await first.query("CREATE TABLE kept (n int)")
            #expect(try await first.stop() == .stopped)
            #expect(try await first.stop() == .alreadyLetGo)
            #expect(first.postmaster == nil)
            let second = try await startOrAdopt(path)
            #expect(second.origin == .started)
            #expect(try await second.query("SELECT count(*) FROM kept") == "0")
            #expect(try await second.stop() == .stopped)
        }
    }

    @Test func `what was committed is there after an immediate stop`() async throws {
        try await withScratchFolder { path in
            let first = try await startOrAdopt(path)
            try await first.query("CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n")
            #expect(try await first.stop(mode: .immediate) == .stopped)
            let second = try await startOrAdopt(path)
            #expect(second.origin == .started)
            #expect(try await second.query("SELECT count(*) FROM kept") == "1000")
            #expect(try await second.stop() == .stopped)
        }
    }

    @Test func `a server left by a kill -9 is adopted and stopped by its new owner`() async throws {
        try await withScratchFolder { path in
            let probe = try ProbeProcess(dataDirectory: path)
            #expect(await probe.line() == "made")
            probe.killHard()
            let server = try await startOrAdopt(path)
            #expect(server.origin == .adopted)
            #expect(server.postmaster != nil)
            #expect(try await server.stop() == .stopped)
            #expect(server.postmaster == nil)
        }
    }

    @Test func `an owner leaves the server to others and the last of them stops it`() async throws {
        try await withScratchFolder { path in
            let probe = try ProbeProcess(dataDirectory: path)
            #expect(await probe.line() == "made")
            let server = try await startOrAdopt(path)
            #expect(server.origin == .joined)
            #expect(try await probe.finish() == "leftToOthers")
            #expect(try await server.query("SELECT 1") == "1")
            #expect(try await server.stop() == .stopped)
            #expect(server.postmaster == nil)
        }
    }

    @Test func `a guest does not stop the server`() async throws {
        try await withPrivateServer { server, path in
            let probe = try ProbeProcess(dataDirectory: path)
            #expect(await probe.line() == "joined")
            #expect(try await probe.finish() == "leftToOthers")
            #expect(try await server.query("SELECT 1") == "1")
        }
    }

    @Test func `eight that start at once make and stop the server once`() async throws {
        try await withScratchFolder { path in
            let probes = try (1...8).map { _ in try ProbeProcess(dataDirectory: path) }
            var beginnings: [String] = []
            for probe in probes { beginnings.append(await probe.line()) }
            #expect(beginnings.sorted() == Array(repeating: "joined", count: 7) + ["made"])
            var ends: [String] = []
            for probe in probes { ends.append(try await probe.finish()) }
            #expect(ends.sorted() == Array(repeating: "leftToOthers", count: 7) + ["stopped"])
            #expect(Folder.owner(of: path + "/postgres/data/postmaster.pid") == nil)
        }
    }

    @Test func `the server survives a kill -9 of its first process`() async throws {
        try await withPrivateServer { server, _ in
            try await server.query("CREATE TABLE kept AS SELECT 1 AS n")
            kill(try #require(server.postmaster), SIGKILL)
            try await server.resume()
            #expect(try await server.query("SELECT n FROM kept") == "1")
        }
    }

    @Test func `an interrupted server keeps its owner and comes back`() async throws {
        try await withPrivateServer { server, path in
            try await server.interrupt()
            #expect(server.postmaster == nil)
            try await server.resume()
            let guest = try await startOrAdopt(path)
            #expect(guest.origin == .joined)
            #expect(try await guest.stop() == .leftToOthers)
        }
    }

    @Test func `terminal signals do not reach the server, and other users do not reach its socket`() async throws {
        try await withPrivateServer { server, _ in
            let postmaster = try #require(server.postmaster)
            #expect(getsid(postmaster) != getsid(0))
            #expect(getpgid(postmaster) != getpgid(0))
            let attributes = try FileManager.default.attributesOfItem(atPath: server.socketDirectory)
            #expect(attributes[.posixPermissions] as? Int == 0o700)
        }
    }

    @Test func `half a cluster and half a database are made again`() async throws {
        try await withScratchFolder { path in
            try Folder.make(path + "/postgres/data.new", mode: 0o700, parents: true)
            try Data("half".utf8).write(to: URL(fileURLWithPath: path + "/postgres/data.new/PG_VERSION"))
            let first = try await startOrAdopt(path)
            try await first.query("ALTER DATABASE skein RENAME TO skein_unfinished", database: "postgres")
            #expect(try await first.stop() == .stopped)
            let second = try await startOrAdopt(path)
            #expect(try await second.query("SELECT postgis_lib_version() <> ''") == "t")
            #expect(try await second.stop() == .stopped)
        }
    }

    @Test func `a path too long for a socket has its socket elsewhere`() async throws {
        try await withScratchFolder { path in
            let long = path + "/" + String(repeating: "thrush/", count: 12)
            let server = try await startOrAdopt(long)
            #expect(server.socketDirectory.hasPrefix("/tmp/skein-"))
            #expect(try await server.query("SELECT 1") == "1")
            #expect(try await server.stop() == .stopped)
            try Folder.remove(server.socketDirectory)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root runs the server as another user"))
    func `root's unreachable data directory has its cluster elsewhere`() async throws {
        try await withScratchFolder { path in
            let hidden = path + "/hidden"
            try Folder.make(hidden, mode: 0o700)
            let home = try await ServerHome.prepare(
                dataDirectory: hidden + "/data", systemRoot: path + "/system", logger: logger)
            #expect(home.path.hasPrefix(path + "/system/"))
            let server = try await PrivateServer.startOrAdopt(home: home, settings: .tests, logger: logger)
            #expect(server.origin == .made)
            #expect(try await server.stop() == .stopped)
            // Once made it stays there, even when the folder has become reachable.
            try #require(chmod(hidden, 0o755) == 0)
            let again = try await ServerHome.prepare(
                dataDirectory: hidden + "/data", systemRoot: path + "/system", logger: logger)
            #expect(again == home)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root runs the server as another user"))
    func `a cluster that has become unreachable is an error and not a new cluster`() async throws {
        try await withScratchFolder { path in
            let server = try await startOrAdopt(path + "/data")
            #expect(try await server.stop() == .stopped)
            try #require(chmod(path, 0o700) == 0)
            await #expect(throws: PrivateServerError.self) {
                try await ServerHome.prepare(
                    dataDirectory: path + "/data", systemRoot: path + "/system", logger: logger)
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root runs the server as another user"))
    func `for root a cluster is run by whom it belongs to`() async throws {
        try await withScratchFolder { path in
            let nobody = try #require(getpwnam("nobody")).pointee.pw_uid
            let account = try ServerAccount.current(ownerOfCluster: nobody)
            #expect(account.userID == nobody)
            let home = ServerHome(path: path + "/postgres", account: account)
            try home.makeFolders()
            let first = try await PrivateServer.startOrAdopt(home: home, settings: .tests, logger: logger)
            #expect(try await first.stop() == .stopped)
            let second = try await startOrAdopt(path)
            #expect(second.origin == .started)
            #expect(Folder.owner(of: second.homeDirectory + "/data/postmaster.pid") == nobody)
            #expect(try await second.stop() == .stopped)
        }
    }

    @Test func `a cluster of a version that is not installed is named`() async throws {
        try await withScratchFolder { path in
            let server = try await startOrAdopt(path)
            #expect(try await server.stop() == .stopped)
            let version = path + "/postgres/data/PG_VERSION"
            let real = try String(contentsOfFile: version, encoding: .utf8)
            try Data("9\n".utf8).write(to: URL(fileURLWithPath: version))
            await #expect {
                _ = try await startOrAdopt(path)
            } throws: { error in
                guard case .versionNotInstalled("9", let installed)? = error as? PrivateServerError else {
                    return false
                }
                return installed.contains(real.trimmed)
            }
        }
    }

    @Test func `a server that cannot start says why`() async throws {
        try await withScratchFolder { path in
            let server = try await startOrAdopt(path)
            #expect(try await server.stop() == .stopped)
            try FileManager.default.removeItem(atPath: path + "/postgres/data/global/pg_control")
            await #expect {
                _ = try await startOrAdopt(path)
            } throws: { error in
                guard case .serverDidNotStart(_, let log)? = error as? PrivateServerError else { return false }
                return log.contains("pg_control")
            }
        }
    }
}
