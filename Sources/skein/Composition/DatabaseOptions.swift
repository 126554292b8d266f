import ArgumentParser
import Foundation
import Service

/// Which database a command works on.
struct DatabaseOptions: ParsableArguments {
    static let environmentHelp = """
        Environment:
        \(Setting.help(Setting.common))
        Flags take precedence over the environment.
        """

    @Option(help: "\(Setting.dataDirectory.flagHelp)")
    var dataDir: String?

    /// The data directory as an absolute path.
    func dataDirectory(_ environment: Environment = .process) -> String {
        let path = dataDir ?? environment[.dataDirectory] ?? ".skein"
        return URL(fileURLWithPath: path).standardizedFileURL.path
    }
}

/// The environment's variables; an empty one counts as not set.
struct Environment {
    static let process = Environment(values: ProcessInfo.processInfo.environment)

    let values: [String: String]

    subscript(setting: Setting) -> String? {
        values[setting.name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// A flag or an environment variable that is missing or wrong. Names it; never shows its value.
struct SettingError: Error, CustomStringConvertible {
    let setting: String
    let rule: String

    var description: String { "\(setting) \(rule)" }
}
