import ArgumentParser
import EventLog
import Foundation
import Logging
import Service
import Web

/// `skein serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the API until a signal stops it.",
        discussion: """
            Applies pending migrations, loads the reference data, follows the log and answers requests. On SIGTERM or \
            Ctrl-C, requests in flight are finished, and a private PostgreSQL stops unless another process uses it. \
            After a failover or `skein epoch new` it ends with status 75: a supervisor starts it again.

            \(DatabaseOptions.environmentHelp)
            Where a setting is a limit, 0 means no limit.
            \(Setting.help(Setting.serving))
            """)

    @OptionGroup var options: DatabaseOptions

    @Option(help: "\(Setting.host.flagHelp)")
    var host: String?

    @Option(help: "\(NumberSetting.port.setting.flagHelp)")
    var port: Int?

    @Option(help: "\(NumberSetting.operationsPort.setting.flagHelp)")
    var operationsPort: Int?

    func run() async throws {
        let environment = Environment.process
        let logger = try Logger.program(environment)
        let proxies = try environment.value(of: .trustedProxies) ?? 0
        let listening = ListenSettings(
            api: try apiAddress(environment), operations: try operationsAddress(environment),
            limits: try LimitSettings(environment, trustedProxies: proxies), trustedProxies: proxies,
            allowedOrigins: try allowedOrigins(environment))
        // These are read again later; an error is reported before anything starts.
        _ = try PhotoSettings(dataDirectory: "", environment: environment)
        _ = try ExportSettings(dataDirectory: "", environment: environment)
        _ = try MailSettings(dataDirectory: "", environment: environment)
        _ = try environment.targetKinds()
        let installation = try Installation.find(environment)
        try await listening.expectFree()
        do {
            try await Database.with(options, logger: logger) { database in
                try await Server(database: database, installation: installation, logger: logger).run(listening)
            }
        } catch let error as LogMoved {
            logger.error("the service ends, to be started again", metadata: ["reason": "\(error.reason)"])
            // 75 (sysexits.h), on which systemd and Docker start the service again.
            throw ExitCode(EX_TEMPFAIL)
        }
    }

    private func apiAddress(_ environment: Environment) throws -> ListenAddress {
        ListenAddress(
            host: host ?? environment[.host] ?? "127.0.0.1",
            port: try portNumber(port, "--port", .port, environment) ?? 0)
    }

    private func operationsAddress(_ environment: Environment) throws -> ListenAddress {
        let flag = "--operations-port"
        let port = try portNumber(operationsPort, flag, .operationsPort, environment)
        let beside = try apiAddress(environment).port
        guard port != nil || beside < 65535 else {
            throw SettingError(setting: flag, rule: "must be set if the port is 65535")
        }
        return ListenAddress(
            host: environment[.operationsHost] ?? "127.0.0.1", port: port ?? (beside == 0 ? 0 : beside + 1))
    }

    private func portNumber(
        _ given: Int?, _ flag: String, _ variable: NumberSetting, _ environment: Environment
    ) throws -> Int? {
        guard let given else { return try environment.value(of: variable) }
        guard variable.rule.range.contains(given) else { throw SettingError(setting: flag, rule: variable.violation) }
        return given
    }

    private func allowedOrigins(_ environment: Environment) throws -> AllowedOrigins? {
        guard let text = environment[.allowedOrigins] else { return nil }
        guard let origins = AllowedOrigins(text) else {
            throw SettingError(
                .allowedOrigins,
                "must be * or origins as browsers send them, such as https://app.example.org, separated by commas"
            )
        }
        return origins
    }
}

/// The addresses to listen on, limits, trusted proxies and allowed origins.
struct ListenSettings: Sendable {
    var api: ListenAddress
    /// For `/metrics` and `/readyz` in detail.
    var operations: ListenAddress
    var limits: LimitSettings
    var trustedProxies: Int
    var allowedOrigins: AllowedOrigins?

    /// Checks that the ports are free, before anything else starts.
    /// - Throws: `ListenError`.
    func expectFree() async throws {
        try await api.expectFree()
        try await operations.expectFree()
    }
}
