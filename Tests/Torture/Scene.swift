import AsyncHTTPClient
import EventLog
import Foundation
import Logging
import Postgres
import PrivateServer

/// The environment of a round: a folder, a private PostgreSQL, and two services on it.
struct Scene: Sendable {
    /// Longest time that the services may take from a healthy database to a healthy answer. On a busy machine a build
    /// for debugging has taken more than 90 seconds.
    private static let timeout: Duration = .seconds(180)

    let directory: String
    let server: PrivateServer
    let services: [ServiceProcess]
    let owner: PostgresConfiguration
    /// One for each service, or none.
    let proxies: [DatabaseProxy]
    let disk: SmallDisk?
    private let plan: RoundPlan
    private let keepsFiles: Bool

    var `operator`: Operator { Operator(directory: directory, server: server, owner: owner) }

    /// Creates the folder and starts the server; ``start()`` starts the services.
    static func set(_ plan: RoundPlan, keepsFiles: Bool) async throws -> Scene {
        let name = "skein-torture-" + UUID().uuidString.prefix(8).lowercased()
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        var disk: SmallDisk?
        do {
            // Readable by all, because root's PostgreSQL runs as another user and has to get in.
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            if plan.hasSmallDisk { disk = try SmallDisk.mount(at: directory) }
            let ports = try [FreePort.find(), FreePort.find()]
            let server = try await PrivateServer.startOrAdopt(
                dataDirectory: directory, settings: .tests, logger: .silent)
            let owner = try PostgresConfiguration(server.url(user: .owner))
            let proxies = try await plan.hasProxies ? [proxy(of: server), proxy(of: server)] : []
            let services = ports.indices.map { index in
                ServiceProcess(
                    index + 1, port: ports[index], directory: directory, server: server,
                    database: proxies.isEmpty ? server.url(user: .service) : proxies[index].url)
            }
            return Scene(
                directory: directory, server: server, services: services, owner: owner, proxies: proxies, disk: disk,
                plan: plan, keepsFiles: keepsFiles)
        } catch {
            disk?.unmount()
            try? FileManager.default.removeItem(atPath: directory)
            throw error
        }
    }

    private static func proxy(of server: PrivateServer) async throws -> DatabaseProxy {
        try await DatabaseProxy.start(to: "\(server.socketDirectory)/.s.PGSQL.\(PrivateServer.port)")
    }

    /// Starts the services; returns when both answer.
    /// - Throws: ``SceneError``.
    func start() async throws {
        if let size = plan.partitionSize { try await `operator`.migrate(partitionSize: size) }
        for service in services { try await service.start() }
        try await wait { await $0.isReady }
        // The reference data is there as well.
        try await wait { await HealthCheck.ready.passes(port: $0.port) }
    }

    /// Restarts everything that a fault stopped.
    /// - Throws: ``SceneError``, `PrivateServerError`, `FileLock.Failure`.
    func heal() async throws {
        try await server.resume()
        try await wait { await $0.isReady }
    }

    private func wait(until isFine: (ServiceProcess) async -> Bool) async throws {
        let deadline = ContinuousClock.now + Self.timeout
        for service in services {
            while await !isFine(service) {
                guard ContinuousClock.now < deadline else {
                    throw SceneError.neverReady(service: service.number, log: await service.endOfLog)
                }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// Ends all processes and removes all files.
    func strike() async {
        for service in services { await service.destroy() }
        for proxy in proxies { await proxy.stop() }
        _ = try? await server.stop(mode: .immediate)
        if keepsFiles {
            print("kept: \(directory)")
            return
        }
        disk?.unmount()
        // The last two are elsewhere only for a folder that the server's user cannot enter, or of too long a name.
        for path in [directory, server.homeDirectory, server.socketDirectory] {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// Runs something with this process's own connections at work.
    func withConnections<Value: Sendable>(
        _ body: (Connections) async throws -> Value
    ) async throws -> Value {
        var database = try PostgresConfiguration(server.url(user: .service))
        (database.statementDeadline, database.connectTimeout) = (.seconds(4), .seconds(4))
        let connections = Connections(database)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await connections.pool.run() }
            group.addTask { await connections.appender.run() }
            let result: Result<Value, any Error>
            do { result = .success(try await body(connections)) } catch { result = .failure(error) }
            group.cancelAll()
            connections.appender.close()
            await connections.pool.shutdown()
            try? await connections.http.shutdown()
            return try result.get()
        }
    }
}

/// Why a scene could not be set up.
enum SceneError: Error, CustomStringConvertible {
    case neverReady(service: Int, log: String)

    var description: String {
        switch self {
        case .neverReady(let service, let log): "service \(service) never became ready; its log ends with:\n\(log)"
        }
    }
}

extension Logger {
    /// Faults make every layer log errors; the verdict has those that matter.
    static var silent: Logger { Logger(label: "skein.torture") { _ in SwiftLogNoOpLogHandler() } }
}
