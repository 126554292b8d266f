import Logging

extension Logger {
    /// The program's logger, on standard error, at the level of `SKEIN_LOG_LEVEL`.
    /// - Throws: ``SettingError`` for an unknown level.
    static func program(_ environment: Environment = .process, normally level: Logger.Level = .info) throws -> Logger {
        var logger = Logger(label: "skein") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = level
        if let name = environment["SKEIN_LOG_LEVEL"] {
            guard let level = Logger.Level(rawValue: name) else {
                throw SettingError(setting: "SKEIN_LOG_LEVEL", rule: "must be a level, such as info or debug")
            }
            logger.logLevel = level
        }
        return logger
    }
}
