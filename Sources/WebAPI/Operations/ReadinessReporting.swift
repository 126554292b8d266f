package import JSON

/// Says whether the service can do its work, and what keeps it from doing so.
package protocol ReadinessReporting: Sendable {
    /// Checks all that this process needs, and what an operator should know of. It answers within a
    /// second or two, whatever hangs.
    func readiness() async -> ReadinessReport
    /// Whether the process must end and be started again.
    var isEnding: Bool { get }
}

/// The result of all checks.
package struct ReadinessReport: Sendable, JSONRepresentable {
    /// One thing that the service needs.
    package struct Check: Sendable {
        /// How it is.
        package enum State: String, Sendable {
            /// As it should be.
            case ready
            /// This process can serve, but an operator should look.
            case warning
            /// This process cannot serve.
            case failed
        }

        /// What was looked at: `database`, `migrations`, `partitions`, `model:findings`.
        package let name: String
        /// How it is.
        package let state: State
        /// What there is to say, in words without secrets; nil for nothing.
        package let detail: String?
        /// How many positions behind the head it is, for a model.
        package let lag: Int64?

        package init(_ name: String, _ state: State, detail: String? = nil, lag: Int64? = nil) {
            self.name = name
            self.state = state
            self.detail = detail
            self.lag = lag
        }
    }

    /// Everything that was looked at.
    package let checks: [Check]

    package init(_ checks: [Check]) {
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

extension ReadinessReport.Check: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("name", name)
            writer.field("status", state.rawValue)
            if let detail { writer.field("detail", detail) }
            if let lag { writer.field("lag", lag) }
        }
    }
}
