import FileLocks
import Foundation
import Logging
import Testing

@testable import PrivateServer

struct PrivateServerPartsTests {
    @Test func `programs that are nowhere are named with the places searched`() async {
        let nowhere = SearchPlaces(path: ["/nonexistent/bin"], versioned: ["/nonexistent/postgresql"])
        await #expect(throws: PrivateServerError.programsNotFound(searched: ["/nonexistent/bin"])) {
            try await PostgresPrograms.find(forCluster: nil, in: nowhere)
        }
        #expect("\(PrivateServerError.programsNotFound(searched: ["/a"]))".contains("apt-get install postgresql-15"))
    }

    @Test func `of several packaged versions the newest comes first and a cluster finds its own`() async throws {
        try await withScratchFolder { path in
            for version in ["9.6", "15", "17"] {
                try makePrograms(version: version, in: path + "/" + version + "/bin")
            }
            let places = SearchPlaces(path: [], versioned: [path])
            #expect(try await PostgresPrograms.find(forCluster: nil, in: places).majorVersion == "17")
            #expect(try await PostgresPrograms.find(forCluster: "15", in: places).directory == path + "/15/bin")
            await #expect(throws: PrivateServerError.versionNotInstalled(cluster: "16", installed: ["17", "15", "9"])) {
                try await PostgresPrograms.find(forCluster: "16", in: places)
            }
        }
    }

    /// Scripts in place of PostgreSQL's programs; `postgres` states the version.
    private func makePrograms(version: String, in directory: String) throws {
        try Folder.make(directory, mode: 0o755, parents: true)
        for name in ["initdb", "pg_ctl", "pg_isready", "postgres", "psql"] {
            let file = directory + "/" + name
            try Data("#!/bin/sh\necho 'postgres (PostgreSQL) \(version).3 (Debian)'\n".utf8)
                .write(to: URL(fileURLWithPath: file))
            try #require(chmod(file, 0o755) == 0)
        }
    }

    @Test func `a child's status and output come back`() async throws {
        let script = "echo out; echo err >&2; exit 3"
        let outcome = try await ChildProcess(command: ["/bin/sh", "-c", script], environment: [:]).run()
        #expect(outcome == .init(status: 3, output: "out\nerr"))
        let killed = try await ChildProcess(command: ["/bin/sh", "-c", "kill -9 $$"], environment: [:]).run()
        #expect(killed.status == 128 + 9)
        await #expect(throws: PrivateServerError.notStarted(program: "/nonexistent", errorNumber: ENOENT)) {
            try await ChildProcess(command: ["/nonexistent"], environment: [:]).run()
        }
    }

    @Test func `an error names the program that was meant, not the one that changes the user`() async throws {
        let account = try ServerAccount.current(ownerOfCluster: nil)
        await #expect(throws: PrivateServerError.failed(program: "/bin/sh", status: 2, output: "no")) {
            try await account.process(["/bin/sh", "-c", "echo no; exit 2"]).runChecked()
        }
    }

    @Test func `a child sees only the environment it is given`() async throws {
        let outcome = try await ChildProcess(command: ["/usr/bin/env"], environment: ["PGDATA": "none"]).run()
        #expect(outcome.output == "PGDATA=none")
    }

    @Test func `a child has its own session and default signals`() async throws {
        signal(SIGUSR2, SIG_IGN)
        defer { signal(SIGUSR2, SIG_DFL) }
        let outcome = try await ChildProcess(
            command: ["/bin/sh", "-c", "cut -d' ' -f1,6 /proc/$$/stat; grep SigIgn /proc/$$/status"], environment: [:]
        ).run()
        let lines = outcome.output.split(separator: "\n")
        let numbers = try #require(lines.first).split(separator: " ")
        #expect(numbers.count == 2 && numbers[0] == numbers[1], "process and session have one number")
        let ignored = try #require(lines.last.flatMap { UInt64($0.suffix(16), radix: 16) })
        #expect(ignored & (1 << UInt64(SIGUSR2 - 1)) == 0)
    }

    @Test func `a child inherits no descriptor but the three standard ones`() async throws {
        let descriptor = open("/dev/null", O_RDONLY)
        defer { close(descriptor) }
        try #require(descriptor > STDERR_FILENO)
        // ls itself has the folder open as 3.
        let outcome = try await ChildProcess(command: ["/bin/ls", "/proc/self/fd"], environment: [:]).run()
        #expect(outcome.output == "0\n1\n2\n3")
    }

    @Test func `a lock is shared by many and exclusive to one`() async throws {
        try await withScratchFolder { path in
            let locks = try (1...3).map { _ in try FileLock(path + "/lock") }
            #expect(try locks[0].tryLock(.shared))
            #expect(try locks[1].tryLock(.shared))
            #expect(try !locks[2].tryLock(.exclusive))
            locks[0].unlock()
            #expect(try locks[1].tryLock(.exclusive), "the only holder may take it alone")
            #expect(try !locks[2].tryLock(.shared))
            await #expect(throws: PrivateServerError.lockTimedOut(path: path + "/lock", seconds: 0)) {
                try await locks[2].lock(.shared, withinSeconds: 0)
            }
        }
    }

    @Test func `a lock file that is a link is rejected`() async throws {
        try await withScratchFolder { path in
            try #require(symlink("/etc/passwd", path + "/lock") == 0)
            #expect(throws: FileLock.Failure.self) { try FileLock(path + "/lock") }
        }
    }

    @Test func `of many that make a folder at once none sees it without its owner`() async throws {
        try await withScratchFolder { path in
            let account = try ServerAccount.current(ownerOfCluster: nil)
            for round in 0..<200 {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            #expect(throws: Never.self) { try Folder.makePrivate("\(path)/\(round)", for: account) }
                        }
                    }
                }
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".new") }
            #expect(left.isEmpty)
        }
    }

    @Test func `a private folder must be a folder, ours and closed`() async throws {
        try await withScratchFolder { path in
            let account = try ServerAccount.current(ownerOfCluster: nil)
            try Folder.makePrivate(path + "/new", for: account)
            try Folder.makePrivate(path + "/new", for: account)
            try #require(symlink(path + "/new", path + "/link") == 0)
            #expect(throws: PrivateServerError.unusablePath(path: path + "/link", reason: "it is not a folder")) {
                try Folder.makePrivate(path + "/link", for: account)
            }
            try #require(chmod(path + "/new", 0o750) == 0)
            #expect(throws: PrivateServerError.unusablePath(path: path + "/new", reason: "others may enter it")) {
                try Folder.makePrivate(path + "/new", for: account)
            }
            guard account.isOther else { return }
            try Folder.make(path + "/roots", mode: 0o700)
            #expect(throws: PrivateServerError.self) { try Folder.makePrivate(path + "/roots", for: account) }
        }
    }

    @Test(arguments: ["$(touch x)", "a\"b", "back\\slash", "line\nbreak", "`id`"])
    func `a path that a shell would read as more than a path is rejected`(name: String) async throws {
        try await withScratchFolder { path in
            await #expect(throws: PrivateServerError.self) {
                _ = try await ServerHome.prepare(dataDirectory: path + "/" + name, logger: Logger(label: "test"))
            }
        }
    }

    @Test func `the settings quote the socket's folder`() {
        let text = PrivateServerSettings(sharedBuffersMebibytes: 7, fsync: false)
            .configuration(socketDirectory: "/tmp/it's, here")
        #expect(text.contains("unix_socket_directories = '\"/tmp/it''s, here\"'\n"))
        #expect(text.contains("shared_buffers = 7MB\n"))
        #expect(text.contains("fsync = off\n"))
        #expect(text.contains("listen_addresses = ''\n"))
    }
}
