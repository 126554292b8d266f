package import Domain
package import FoundationEssentials

/// A mail with a text and an HTML part that say the same.
package struct MailMessage: Sendable {
    package var sender: MailSender
    package var recipient: EmailAddress
    package var subject: String
    package var text: String
    package var html: String
    /// Without angle brackets: a part of `Message-ID` before the sender's domain.
    package var id: String
    package var date: Date

    package init(
        sender: MailSender, recipient: EmailAddress, subject: String, text: String, html: String, id: String, date: Date
    ) {
        (self.sender, self.recipient, self.subject) = (sender, recipient, subject)
        (self.text, self.html, self.id, self.date) = (text, html, id, date)
    }

    /// The message as the standards write it, with lines of at most 78 characters.
    /// - Parameter lineEnd: CR LF in a file, LF for a local command.
    /// - Source: RFC 5322; RFC 2045 and 2046 for the parts, RFC 2047 for other characters than ASCII in headers, RFC
    ///   3834 for `Auto-Submitted`. An address that is not in ASCII is written in UTF-8, as RFC 6532 allows.
    package func bytes(lineEnd: String) -> [UInt8] {
        // "=_" does not occur in quoted-printable text.
        let boundary = "=_skein_" + id
        let header = [
            "From: " + sender.mailbox, "To: " + recipient.text, "Subject: " + MailHeader.unstructured(subject),
            "Date: " + Self.date(date), "Message-ID: <\(id)@\(sender.address.domain)>", "MIME-Version: 1.0",
            "Auto-Submitted: auto-generated", "Content-Type: multipart/alternative;", " boundary=\"\(boundary)\"", "",
        ]
        let parts = [("plain", text), ("html", html)].flatMap { type, content -> [Substring] in
            let head = [
                "--" + boundary, "Content-Type: text/\(type); charset=utf-8",
                "Content-Transfer-Encoding: quoted-printable", "",
            ]
            return (head + QuotedPrintable.lines(of: content)).map { Substring($0) }
        }
        let headerLines = header.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        let lines: [Substring] = headerLines + parts + ["--\(boundary)--", ""]
        return Array(lines.joined(separator: lineEnd).utf8)
    }

    /// `Wed, 25 Nov 2026 08:27:21 +0000`
    private static func date(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.weekday, .day, .month, .year], from: date)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let (weekday, month) = (days[(parts.weekday ?? 1) - 1], months[(parts.month ?? 1) - 1])
        let time = Instant(date).text().dropFirst(11).prefix(8)
        return "\(weekday), \(parts.day ?? 1) \(month) \(parts.year ?? 0) \(time) +0000"
    }
}

/// The author of mails: an address, and perhaps a name.
package struct MailSender: Hashable, Sendable {
    package let name: String?
    package let address: EmailAddress

    /// Reads `name@example.org` or `A Name <name@example.org>`; nil for anything else.
    package init?(_ text: String) {
        guard text.hasSuffix(">"), let open = text.lastIndex(of: "<") else {
            guard let address = try? EmailAddress(text) else { return nil }
            (name, self.address) = (nil, address)
            return
        }
        let words = text[..<open].split(separator: " ").joined(separator: " ")
        guard let name = try? PersonName(words),
            let address = try? EmailAddress(String(text[text.index(after: open)...].dropLast()))
        else { return nil }
        (self.name, self.address) = (name.text, address)
    }

    /// As a header writes it.
    var mailbox: String {
        guard let name else { return address.text }
        return "\(MailHeader.phrase(name)) <\(address.text)>"
    }
}

extension EmailAddress {
    /// The part after the "@".
    var domain: Substring { text[(text.lastIndex(of: "@").map(text.index(after:)) ?? text.startIndex)...] }
}
