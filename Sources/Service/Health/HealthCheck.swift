/// One aspect of the state of the service.
package struct HealthCheck: Sendable, Hashable {
    /// The result of a check.
    package enum State: String, Sendable {
        case ready
        /// This process can serve, but an operator should know of the detail.
        case warning
        /// This process cannot serve.
        case failed
    }

    /// The subject: `database`, `migrations`, `partitions`, `model:findings`.
    package let name: String
    package let state: State
    /// The details in words, without secrets; nil for none.
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
