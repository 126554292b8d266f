import FoundationEssentials
import Vault

/// The wording of a mail, from which both of its parts are made. It contains no text that a person typed: otherwise
/// anyone could send words of their own to an address.
struct MailText {
    var subject: String
    /// Before the code.
    var before: [String]
    var code: String?
    /// Opens the app with the code; nil without an app.
    var link: String?
    /// After the code.
    var after: [String]

    /// The plain text.
    var plain: String {
        let codeLines = code.map { ["    " + $0] } ?? []
        let linkLines = link.map { ["Or open this link:", "    " + $0] } ?? []
        return (before + codeLines + linkLines + after).joined(separator: "\n\n") + "\n"
    }

    /// A document without scripts, images or links other than ``link``.
    var html: String {
        let code = code.map { ["<p style=\"font:bold 1.2em monospace\">\(Self.escaped($0))</p>"] } ?? []
        let link = link.map { ["<p><a href=\"\(Self.escaped($0))\">\(Self.escaped(subject))</a></p>"] } ?? []
        let paragraphs =
            before.map { "<p>\(Self.escaped($0))</p>" } + code + link
            + after.map { "<p>\(Self.escaped($0))</p>" }
        return
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>\(Self.escaped(subject))</title>"
            + "</head>\n<body>\n" + paragraphs.joined(separator: "\n") + "\n</body>\n</html>\n"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}

extension MailText {
    /// The wording for a kind of mail.
    /// - Parameters:
    ///   - code: nil for a kind that carries none.
    ///   - service: the name of the service.
    ///   - app: the base URL of the app.
    init(_ kind: MailKind, code: MailCode?, service: String, app: String?) {
        switch kind {
        case .verification:
            self.init(
                subject: "Confirm your e-mail address",
                before: ["This address was given for an account of \(service). Enter this code to confirm it:"],
                after: ["The code is valid for 24 hours. If you have no account, ignore this mail."])
            link = Self.link(app, "verify-email", code)
        case .address:
            self.init(
                subject: "Confirm your new e-mail address",
                before: ["Your account of \(service) is to have this address. Enter this code to confirm it:"],
                after: ["The code is valid for 24 hours. If you did not ask for this, ignore this mail."])
            link = Self.link(app, "verify-email", code)
        case .addressChanged:
            self.init(
                subject: "Your e-mail address was changed",
                before: [
                    "Your account of \(service) has another e-mail address now, and this one is no longer used.",
                    "If it was not you who changed it, write to the people who run \(service).",
                ])
        case .reset:
            self.init(
                subject: "Choose a new password",
                before: ["To choose a new password for your account of \(service), enter this code:"],
                after: ["The code is valid for 30 minutes. If you did not ask for it, ignore this mail."])
            link = Self.link(app, "reset-password", code)
        case .passwordReset:
            self.init(
                subject: "Your password was changed",
                before: [
                    "A new password was chosen for your account of \(service), with a code that was sent to this "
                        + "address. All sessions have ended, and all API keys are deleted.",
                    "If it was not you, choose a new password at once: someone else can read your mail.",
                ])
        case .passwordChanged:
            self.init(
                subject: "Your password was changed",
                before: [
                    "The password of your account of \(service) was changed. All other sessions have ended. API keys "
                        + "are still valid; delete those you do not know.",
                    "If it was not you, choose a new password at once, with a code that is sent to this address.",
                ])
        }
        self.code = code?.text
    }

    /// The code is in the fragment, which browsers send to no server.
    private static func link(_ app: String?, _ page: String, _ code: MailCode?) -> String? {
        guard let app, let code else { return nil }
        return "\(app)/\(page)#token=\(code.text)"
    }

    private init(subject: String, before: [String], after: [String] = []) {
        (self.subject, self.before, self.after) = (subject, before, after)
    }
}
