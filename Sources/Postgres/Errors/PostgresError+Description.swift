extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// One neutral sentence, safe to show.
    package var description: String {
        switch kind {
        case .configuration: "The database is not configured correctly."
        case .connectionFailed: "The database could not be reached."
        case .connectionLost: "The connection to the database was lost."
        case .closed: "The connection to the database is closed."
        case .server: "The database refused a statement."
        case .encoding: "A value could not be sent to the database."
        case .decoding: "A value from the database was not as expected."
        case .protocolViolation: "The conversation with the database went out of step."
        case .poolTimeout: "The database is too busy."
        case .timeout: "The database took too long."
        case .cancelled: "The database request was cancelled."
        }
    }

    /// Everything but values. Detail and context of class 22 and 23 errors quote rows, so they are left out.
    package var debugDescription: String {
        var parts = ["PostgresError.\(kind.rawValue): \(message)"]
        if let report { parts += Self.fields(of: report) }
        if !wasSent { parts.append("not sent") }
        if let query { parts.append("query: \(query)") }
        if let caller { parts.append("at \(caller.file):\(caller.line)") }
        return parts.joined(separator: " | ")
    }

    /// `dump` and string interpolation of enclosing values must not get around `debugDescription`.
    package var customMirror: Mirror {
        Mirror(self, children: ["debugDescription": debugDescription])
    }

    private static func fields(of report: ServerReport) -> [String] {
        let withheld = report.mayQuoteValues
        let named: [(String, String?)] = [
            ("severity", report.severity), ("sqlState", report.sqlState.rawValue),
            ("server", report.messageWithoutValues),
            ("constraint", report.constraint), ("schema", report.schema), ("table", report.table),
            ("column", report.column), ("type", report.dataType),
            ("detail", withheld ? report.detail.map { _ in "(withheld: may quote values)" } : report.detail),
            ("hint", report.hint),
            ("context", withheld ? nil : report.context),
            ("position", report.position.map { String($0) }),
        ]
        return named.compactMap { name, value in value.map { "\(name): \($0)" } }
    }
}
