package import JSON
package import Service

/// Says whether the service can do its work, and what keeps it from doing so.
package protocol ReadinessReporting: Sendable {
    /// Checks everything that this process needs, and reports what an operator should know of. Returns within a second
    /// or two, even if the database hangs.
    func readiness() async -> ReadinessReport
    /// Whether the process must end and be started again.
    var isEnding: Bool { get }
}

/// The result of all checks.
package struct ReadinessReport: Sendable, JSONRepresentable {
    /// Everything that was looked at.
    package let checks: [HealthCheck]

    package init(_ checks: [HealthCheck]) {
        self.checks = checks
    }

    /// Whether requests can be sent here: nothing has failed.
    package var isReady: Bool { checks.allSatisfy { $0.state != .failed } }

    /// `ready` or `failed`.
    var word: String { isReady ? "ready" : "failed" }

    /// Writes the status and every check.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("status", word)
            writer.field("checks", checks)
        }
    }
}

extension HealthCheck: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("name", name)
            writer.field("status", state.rawValue)
            if let detail { writer.field("detail", detail) }
            if let lag { writer.field("lag", lag) }
        }
    }
}
