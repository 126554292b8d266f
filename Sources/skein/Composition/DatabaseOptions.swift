import ArgumentParser
import Foundation
import Service

/// Which database a command works on.
struct DatabaseOptions: ParsableArguments {
    static let environmentHelp = """
        Environment:
          DATABASE_URL        the service's connection; without it, a private PostgreSQL is used
          DATABASE_OWNER_URL  the owner's connection, for migrating and redacting (default: DATABASE_URL)
          DATABASE_READ_URL   streaming standbys to read from, one or several hosts (default: none)
          SKEIN_DATA_DIR      the data directory of the private PostgreSQL (default: ./.skein)
          SKEIN_SHARE_DIR     the reference data (default: share/ beside the program, or above it)
          SKEIN_DATABASE_TIMEOUT
                              \(DatabaseLimits.timeoutHelp)
          SKEIN_TARGET_KINDS  \(Environment.targetKindsHelp)
          SKEIN_LOG_LEVEL     trace, debug, info, notice, warning, error, critical
                              (default: info for serve, migrate and rebuild, otherwise warning)
        Flags take precedence over the environment.
        """

    @Option(help: "Data directory of the private PostgreSQL (SKEIN_DATA_DIR, default ./.skein).")
    var dataDir: String?

    /// The data directory as an absolute path.
    func dataDirectory(_ environment: Environment = .process) -> String {
        let path = dataDir ?? environment["SKEIN_DATA_DIR"] ?? ".skein"
        return URL(fileURLWithPath: path).standardizedFileURL.path
    }
}

/// The environment's variables; an empty one counts as not set.
struct Environment {
    static let process = Environment(values: ProcessInfo.processInfo.environment)

    let values: [String: String]

    subscript(name: String) -> String? {
        values[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// A flag or an environment variable that is missing or wrong. Names it; never shows its value.
struct SettingError: Error, CustomStringConvertible {
    let setting: String
    let rule: String

    var description: String { "\(setting) \(rule)" }
}
