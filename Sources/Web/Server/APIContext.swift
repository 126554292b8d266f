import Bytes
package import Hummingbird
import Logging
package import NIOCore
package import Service

/// What is known about one request while it is handled.
package struct APIContext: RequestContext {
    /// What Hummingbird itself knows of the request.
    package var coreContext: CoreRequestContextStorage
    /// The id of the request: in its response, in problems and in every log line about it. It is random, because a
    /// counter would reveal how many requests others make.
    package var requestID: String {
        didSet { logger[metadataKey: Self.requestIDKey] = .string(requestID) }
    }
    /// The caller, once the access token has been verified.
    package var principal: Principal?
    /// The quotas of the caller; nil without quotas.
    package var allowance: Allowance?
    /// The connection that the request came by.
    package let channel: any Channel

    /// The context of a request that has just arrived.
    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        requestID = Self.randomID()
        logger[metadataKey: Self.requestIDKey] = .string(requestID)
    }

    /// The caller.
    /// - Throws: `ProblemDetails` where the route let someone through without a token.
    package func signedIn() throws(ProblemDetails) -> Principal {
        guard let principal else { throw ProblemDetails(.unauthenticated) }
        return principal
    }

    /// 128 bits.
    private static func randomID() -> String {
        let numbers = SIMD2<UInt64>.random(in: .min ... .max)
        return withUnsafeBytes(of: numbers) { Hexadecimal.digits(of: $0) }
    }

    /// The key by which Hummingbird puts its request ids into the log.
    private static let requestIDKey = "hb.request.id"
}
