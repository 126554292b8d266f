/// One thing that an operator may want to know about.
package struct HealthCheck: Sendable, Hashable {
    /// The result of a check.
    package enum State: String, Sendable {
        case ready
        /// Other processes, or other routes, have the same trouble or none; this process can serve.
        case warning
        /// This process cannot serve.
        case failed
    }

    /// The subject: `database`, `migrations`, `partitions`, `model:findings`.
    package let name: String
    package let state: State
    /// In words without secrets; nil for nothing to say.
    package let detail: String?
    /// Positions behind the head, for a model.
    package let lag: Int64?

    package init(_ name: String, _ state: State, detail: String? = nil, lag: Int64? = nil) {
        self.name = name
        self.state = state
        self.detail = detail
        self.lag = lag
    }
}
