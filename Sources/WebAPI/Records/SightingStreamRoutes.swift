import Domain
import HTTPTypes
import Hummingbird
import NIOCore
import Service
import Web

/// All records that meet a filter, as text that is sent while it is read.
struct SightingStreamRoutes: Sendable {
    let records: PublicReads
    let log: LogState

    /// The format that a client names and prefers to a page of JSON; nil for none.
    static func format(_ headers: HTTPFields) -> StreamFormat? {
        let named = StreamFormat.allCases.filter { headers.prefers($0.mediaType, to: "application/json") }
        return named.first { one in named.allSatisfy { headers.prefers(one.mediaType, to: $0.mediaType) } }
    }

    /// Answers as `Accept` asks: with all records at once, or with a page.
    static func negotiated(
        _ request: Request, sequence: (StreamFormat) async throws -> Response, page: () async throws -> Response
    ) async throws -> Response {
        if let format = format(request.headers) { return try await sequence(format) }
        var page = try await page()
        page.headers.vary(by: .accept)
        return page
    }

    /// Sends every record, as fast as the client reads. After a failure, the response ends without its final chunk.
    func response(
        _ query: BulkQuery, as format: StreamFormat, _ asked: Asked, _ context: APIContext,
        caching: CachePolicy = .publicMinutes
    ) async throws -> Response {
        let found = try await records.bulkStream(asked)
        var headers = try HTTPFields(reflecting: found.moment, of: log)
        headers.vary(by: .accept)
        headers[.contentType] = format.contentType
        return Self.response(headers, context, caching: caching) { write in
            try await found.write(query, as: format.export, to: write)
        }
    }

    /// Sends a text while it is made.
    /// - Parameters:
    ///   - headers: with `Content-Type`.
    ///   - body: makes the text, and hands over its parts.
    static func response(
        _ headers: HTTPFields, _ context: APIContext, caching: CachePolicy,
        _ body: @escaping @Sendable (_ write: ([UInt8]) async throws -> Void) async throws -> Void
    ) -> Response {
        var headers = headers
        headers[.cacheControl] = caching.rawValue
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                var pace = ReadingPace(.sequence, of: context.channel)
                try await body { part in
                    try await pace.write(ByteBuffer(bytes: part), to: &writer)
                }
                try await writer.finish(nil)
            })
    }
}
