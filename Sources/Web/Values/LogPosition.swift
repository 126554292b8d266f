package import HTTPTypes
package import ReadModels
package import Service

extension HTTPFields {
    /// Sets the position that a response reflects, and the one up to which it respects restrictions, both sealed.
    /// - Throws: what sealing throws.
    package mutating func tell(position: Int64, restrictions: Int64? = nil, of log: LogState) throws {
        self[.logPosition] = try log.sealed(position)
        if let restrictions { self[.restrictionPosition] = try log.sealed(restrictions) }
    }

    /// The headers of a public response as of a moment.
    /// - Throws: what sealing throws.
    package init(reflecting moment: PublicMoment, of log: LogState) throws {
        self.init()
        try tell(position: moment.known, restrictions: moment.shown, of: log)
    }

    /// The headers of a public response.
    /// - Throws: what sealing throws.
    package init(reflecting shown: Shown<some Sendable>, of log: LogState) throws {
        try self.init(reflecting: shown.moment, of: log)
    }

    /// The headers of a response to its caller alone, as of a position.
    /// - Throws: what sealing throws.
    package init(privateAt position: Int64, of log: LogState) throws {
        self.init()
        try tell(position: position, of: log)
    }
}

extension PositionSeal.Fault: ProblemConvertible {
    /// The problem for the fault. It does not reveal why a token cannot be opened.
    package var problem: ProblemDetails {
        switch self {
        case .otherEpoch: ProblemDetails(.epochChanged)
        case .unreadable: .header(.logPosition, "must be the Log-Position of a response of today or yesterday (UTC)")
        case .aboveHead: ProblemDetails(.logPositionUnknown)
        }
    }
}
