import Bytes
import CZlib
package import HTTPTypes
package import Hummingbird
import NIOCore

/// Compresses public representations with gzip for clients that accept it.
///
/// The compressed representation has an entity tag of its own, which ends in `-gzip` and which conditions match.
/// Private representations are never compressed: the length would reveal secrets next to text that an attacker chose.
/// - Source: RFC 9110 sections 8.4.1, 8.8.3.3 and 12.5.3.
package struct Compression: RouterMiddleware {
    private static let suffix = "-gzip\""
    /// Bytes. Smaller bodies fit into a packet or two anyway; larger ones are always streamed.
    private static let sizes = 1024...(16 << 20)

    /// - Throws: what the route throws.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var request = request
        let condition = request.headers[.ifNoneMatch]
        if let condition, condition.contains(Self.suffix) {
            var head = request.head
            head.headerFields[.ifNoneMatch] = condition.split(
                separator: Self.suffix, omittingEmptySubsequences: false
            ).joined(separator: "\"")
            request = Request(head: head, body: request.body)
        }
        var response = try await next(request, context)
        guard response.headers[.cacheControl] == CachePolicy.publicMinutes.rawValue else { return response }
        response.headers.vary(by: .acceptEncoding)
        if response.status == .notModified {
            if let tag = Self.tag(response), condition?.contains(tag) == true { response.headers[.eTag] = tag }
            return response
        }
        guard response.status == .ok, Self.acceptsGzip(request.headers), Self.isCompressible(response),
            let length = response.body.contentLength, Self.sizes.contains(length)
        else { return response }
        return try await Self.compressed(response)
    }

    private static func compressed(_ response: Response) async throws -> Response {
        let collector = BodyCollector()
        try await response.body.write(collector)
        guard let bytes = Gzip.compress(collector.bytes) else { return response }
        var headers = response.headers
        headers[.contentEncoding] = "gzip"
        headers[.contentLength] = String(bytes.count)
        if let tag = tag(response) { headers[.eTag] = tag }
        return Response(
            status: response.status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// The entity tag of the compressed representation.
    private static func tag(_ response: Response) -> String? {
        response.headers[.eTag].map { $0.dropLast() + suffix }
    }

    private static func isCompressible(_ response: Response) -> Bool {
        let type = response.headers[.contentType]?.prefix { $0 != ";" } ?? ""
        return type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("yaml")
    }

    /// Whether gzip is among the codings that the client accepts, with a weight above zero.
    package static func acceptsGzip(_ headers: HTTPFields) -> Bool {
        let weights = headers.weights(of: .acceptEncoding)
        return weights["gzip"] ?? weights["*"] ?? 0 > 0
    }
}

/// Collects the bytes of a body.
private final class BodyCollector: ResponseBodyWriter {
    private(set) var bytes: [UInt8] = []

    func write(_ buffer: ByteBuffer) async throws { bytes += buffer.readableBytesView }
    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// gzip in memory.
/// - Source: RFC 1952.
enum Gzip {
    /// The fastest level: the next ones take twice the time to save a tenth.
    static let level: Int32 = 1
    /// The largest window, and 16 for gzip's header and trailer.
    private static let windowBits: Int32 = 15 + 16

    /// Nil if zlib has no memory.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        let begun = deflateInit2_(
            &stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard begun == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = bytes
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        var result = Z_OK
        let output = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                result = deflate(&stream, Z_FINISH)
                count = output.count - Int(stream.avail_out)
            }
        }
        return result == Z_STREAM_END ? output : nil
    }
}
