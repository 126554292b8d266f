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

    /// Sends every record, as fast as the client reads. After a failure, the response ends without its final chunk.
    func response(
        _ query: BulkQuery, as format: StreamFormat, _ asked: Asked, _ context: APIContext,
        caching: CachePolicy = .publicMinutes
    ) async throws -> Response {
        let found = try await records.bulkStream(asked)
        var headers = try HTTPFields(reflecting: found.moment, of: log)
        headers.vary(by: .accept)
        headers[.contentType] = format.contentType
        return Self.response(found, query, as: format.export, headers, context, caching: caching)
    }

    /// Sends the records of a stream.
    /// - Parameter headers: with `Content-Type`.
    static func response(
        _ found: PublicReads.BulkStream, _ query: BulkQuery, as format: ExportFormat, _ headers: HTTPFields,
        _ context: APIContext, caching: CachePolicy
    ) -> Response {
        var headers = headers
        headers[.cacheControl] = caching.rawValue
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                var pace = ReadingPace(.sequence, of: context.channel)
                try await found.write(query, as: format) { part in
                    try await pace.write(ByteBuffer(bytes: part), to: &writer)
                }
                try await writer.finish(nil)
            })
    }
}
