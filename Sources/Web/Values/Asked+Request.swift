package import Domain
package import HTTPTypes
package import Hummingbird
package import Service

extension Asked {
    /// The requirements of a request: at least the position of its `Log-Position`.
    /// - Parameters:
    ///   - account: the one whose own data is read; nil for public data.
    ///   - shown: the position of an earlier page of the same list.
    /// - Throws: `PositionSeal.Fault`; what the database throws.
    package init(
        _ headers: HTTPFields, of account: AccountID? = nil, after shown: Int64? = nil, asOf day: CivilDate? = nil,
        _ log: LogState
    ) async throws {
        let sent = if let token = headers[.logPosition] { try await log.position(sealedAs: token) } else { Int64(0) }
        self.init(position: max(shown ?? 0, sent), of: account, asOf: day)
    }

    /// The requirements of a request for public data whose only parameter is `asOf`. Restrictions are always applied as
    /// of now.
    /// - Throws: `ProblemDetails`, `PositionSeal.Fault`; what the database throws.
    package init(ofDay request: Request, _ log: LogState) async throws {
        var query = QueryReader(request)
        let day = query.asOf()
        try query.finish()
        try await self.init(request.headers, asOf: day, log)
    }
}

extension QueryReader {
    /// The day as of which an answer is asked for; nil for the present.
    package mutating func asOf() -> CivilDate? {
        optional("asOf", CivilDate.init(_:))
    }
}
