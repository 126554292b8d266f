import Bytes
import Domain
package import HTTPTypes
package import Hummingbird
package import JSON
package import NIOCore

extension Request {
    /// Reads the body as JSON.
    /// - Parameters:
    ///   - limits: how large and how deep it may be.
    ///   - isPatch: whether a merge patch's media type is taken too.
    /// - Throws: `ProblemDetails` (413, 415), ``MalformedJSON``, and what reading from the connection throws.
    package func json(limits: JSONLimits = .request, isPatch: Bool = false) async throws -> JSONValue {
        try checkMediaType(isPatch: isPatch)
        // An announced length is believed, so that no client sends a gigabyte only to have it rejected.
        if let announced = announcedLength, announced > limits.bytes {
            throw ProblemDetails(.contentTooLarge)
        }
        let buffer = try await received(limits.bytes)
        return try JSONValue(parsing: Array(buffer.readableBytesView), limits: limits)
    }

    /// The length that the request's head announces.
    package var announcedLength: Int? { headers.announcedLength }

    /// - Throws: `NIOTooManyBytesError`; ``MalformedJSON`` for a body that breaks off or is framed wrongly, which is
    ///   the sender's fault and not ours.
    private func received(_ limit: Int) async throws -> ByteBuffer {
        do {
            return try await body.collect(upTo: limit)
        } catch is RequestGuard.BodyTimeout {
            throw MalformedJSON(offset: 0, reason: "the body did not arrive in time")
        } catch let error where !(error is NIOTooManyBytesError) && !(error is CancellationError) {
            throw MalformedJSON(offset: 0, reason: "the body broke off, or its framing cannot be read")
        }
    }

    private func checkMediaType(isPatch: Bool) throws(ProblemDetails) {
        guard headers[.contentEncoding].map({ $0.lowercased() == "identity" }) ?? true else {
            throw ProblemDetails(
                .unsupportedMediaType, detail: "Send the body without Content-Encoding.",
                headers: [.acceptEncoding: "identity"])
        }
        let accepted = isPatch ? Self.patchTypes : Self.jsonTypes
        guard let header = headers[.contentType], Self.isJSON(header, accepted) else {
            let name = isPatch ? HTTPField.Name.acceptPatch : .accept
            throw ProblemDetails(.unsupportedMediaType, headers: [name: accepted.joined(separator: ", ")])
        }
    }

    /// Whether a media type is one of these, in UTF-8 if it says in what.
    static func isJSON(_ header: String, _ accepted: [String]) -> Bool {
        // Nearly every client sends it exactly so.
        if header == "application/json" { return true }
        let parts = header.split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmingSpaces() }
        guard accepted.contains(parts[0].lowercased()) else { return false }
        return parts.dropFirst().allSatisfy { parameter in
            let pair = parameter.lowercased().split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0] == "charset" else { return true }
            return pair[1] == "utf-8" || pair[1] == "\"utf-8\""
        }
    }

    private static let jsonTypes = ["application/json"]
    private static let patchTypes = ["application/merge-patch+json", "application/json"]
}

extension HTTPFields {
    /// `Content-Length`.
    package var announcedLength: Int? { self[.contentLength].flatMap { Int($0) } }
}

/// A body that is no JSON. If it breaks off or is framed wrongly, that is the sender's fault and not ours.
package struct SentBody: AsyncSequence, Sendable {
    private let body: RequestBody

    package init(body: RequestBody) {
        self.body = body
    }

    /// Reads it piece by piece.
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var received: RequestBody.AsyncIterator

        /// - Throws: `ProblemDetails` (400); `CancellationError`.
        package mutating func next() async throws -> ByteBuffer? {
            do {
                return try await received.next()
            } catch is RequestGuard.BodyTimeout {
                throw ProblemDetails(.badRequest, detail: "The body did not arrive in time.")
            } catch let error where !(error is CancellationError) {
                throw ProblemDetails(
                    .badRequest, detail: "The body broke off, or its framing cannot be read.")
            }
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(received: body.makeAsyncIterator()) }
}

extension JSONLimits {
    /// Largest body of a request: 64 KiB. The largest sighting, with notes, takes a third of it.
    package static let request = JSONLimits(depth: 16, bytes: 64 * 1024)
    /// Largest body of a batch of up to 100 sightings: 1 MiB.
    package static let batch = JSONLimits(depth: 16, bytes: 1024 * 1024)
}
