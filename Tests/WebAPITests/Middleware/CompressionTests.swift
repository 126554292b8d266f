import CZlib
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import Web

struct CompressionTests {
    private struct Pages: RouteGroup {
        static let long = Array(String(repeating: "[\"wren\"],", count: 1_000).utf8)

        var routes: [Route] {
            [
                Route(.get, "/v1/long", .anyone, reads: [.tag]) { request, _ in
                    try Response.publicRepresentation(Self.long, for: request)
                },
                Route(.get, "/v1/short", .anyone, reads: [.tag]) { request, _ in
                    try Response.publicRepresentation(Array("[]".utf8), for: request)
                },
                Route(.get, "/v1/me/long", .signedIn, reads: [.tag]) { request, _ in
                    try Response.ownRepresentation(Self.long, version: 1, for: request)
                },
            ]
        }
    }

    private func get(
        _ path: String, _ encoding: String?, tag: String? = nil, _ body: @Sendable (TestResponse) throws -> Void
    ) async throws {
        try await APIFixture().test([Pages()]) { client in
            var headers = HTTPFields.token("birder", json: false)
            headers[.acceptEncoding] = encoding
            headers[.ifNoneMatch] = tag
            try body(try await client.execute(uri: path, method: .get, headers: headers))
        }
    }

    @Test func `a long public answer is compressed on request, under a tag of its own`() async throws {
        try await get("/v1/long", nil) { plain in
            #expect(plain.headers[.contentEncoding] == nil && plain.headers[.vary] == "Accept-Encoding")
            #expect(Array(plain.body.readableBytesView) == Pages.long)
        }
        try await get("/v1/long", "br, gzip;q=0.5") { packed in
            #expect(packed.headers[.contentEncoding] == "gzip" && packed.headers[.vary] == "Accept-Encoding")
            #expect(packed.headers[.contentLength] == "\(packed.body.readableBytes)")
            #expect(packed.body.readableBytes < 1_000)
            #expect(packed.headers[.eTag] == "\"" + EntityTag(body: Pages.long).opaque + "-gzip\"")
            #expect(Self.expanded(Array(packed.body.readableBytesView)) == Pages.long)
        }
    }

    @Test func `a condition with either tag is met`() async throws {
        let tag = EntityTag(body: Pages.long).opaque
        for given in ["\"\(tag)-gzip\"", "\"\(tag)\"", "\"x\", W/\"\(tag)-gzip\""] {
            try await get("/v1/long", "gzip", tag: given) { answer in
                #expect(answer.status == .notModified, "\(given)")
                #expect(answer.headers[.eTag] == (given.contains("gzip") ? "\"\(tag)-gzip\"" : "\"\(tag)\""))
                #expect(answer.headers[.vary] == "Accept-Encoding")
            }
        }
        try await get("/v1/long", "gzip", tag: "\"other-gzip\"") { #expect($0.status == .ok) }
    }

    @Test(arguments: [("/v1/short", "gzip"), ("/v1/me/long", "gzip"), ("/v1/long", "gzip;q=0, *"), ("/v1/long", "br")])
    func `short, private and other answers come plain`(path: String, encoding: String) async throws {
        try await get(path, encoding) { #expect($0.status == .ok && $0.headers[.contentEncoding] == nil) }
    }

    private static func expanded(_ bytes: [UInt8]) -> [UInt8] {
        var (stream, input) = (z_stream(), bytes)
        guard inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return [] }
        defer { inflateEnd(&stream) }
        return [UInt8](unsafeUninitializedCapacity: 1 << 20) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                _ = inflate(&stream, Z_FINISH)
                count = output.count - Int(stream.avail_out)
            }
        }
    }
}
