import Foundation
import Service

extension MailSettings {
    /// Reads the settings.
    /// - Throws: ``SettingError``.
    init(dataDirectory: String, environment: Environment = .process) throws {
        self.init(
            transport: try Self.transport(environment, folder: dataDirectory + "/mail"),
            sender: try Self.sender(environment), app: try Self.app(environment))
    }

    private static func transport(_ environment: Environment, folder: String) throws -> any MailTransport {
        guard let line = environment[.mailCommand] else { return MailFolder(path: folder) }
        guard let command = MailCommand(line) else {
            throw SettingError(
                .mailCommand,
                "must be a program that can be executed, with its arguments, such as /usr/sbin/sendmail -t -i")
        }
        return command
    }

    private static func sender(_ environment: Environment) throws -> MailSender {
        if let text = environment[.mailFrom] {
            guard let sender = MailSender(text) else {
                throw SettingError(
                    .mailFrom, "must be an e-mail address, or a name with one, such as Skein <skein@example.org>")
            }
            return sender
        }
        let hosts = [ProcessInfo.processInfo.hostName, "localhost.localdomain"]
        guard let sender = hosts.compactMap({ MailSender("Skein <skein@\($0)>") }).first else {
            throw SettingError(.mailFrom, "must be set")
        }
        return sender
    }

    private static func app(_ environment: Environment) throws -> String? {
        guard let text = environment[.app] else { return nil }
        let scheme = ["https://", "http://"].first(where: text.hasPrefix)
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>#?\\^`{|}".utf8.contains($0) }
        guard let scheme, isPlain, let url = URL(string: text), url.host?.isEmpty == false, text.count > scheme.count
        else {
            throw SettingError(
                .app, "must be an http or https URL without query and fragment, such as https://app.example.org")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
