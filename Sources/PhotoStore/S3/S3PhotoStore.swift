package import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1

/// A store in a bucket of an S3 service, each photo an object named by its digest.
///
/// S3 compares the body with the SHA-256 that the request is signed with, so an object is either complete or absent.
package struct S3PhotoStore: PhotoStore {
    private let client: S3Client
    /// A larger file is sent in parts of this size; S3 accepts none below 5 MiB except the last.
    private let partSize: Int

    /// - Parameter http: nil for one that lives as long as the process.
    package init(
        _ location: S3Location, _ credentials: S3Credentials, http: HTTPClient? = nil, partSize: Int = 8 << 20,
        firstWait: Duration = .milliseconds(200)
    ) {
        client = S3Client(
            location: location, credentials: credentials, http: http ?? S3Client.http,
            retries: S3Client.Retries(first: firstWait))
        self.partSize = partSize
    }

    /// - Throws: ``PhotoStoreError``; what reading the file throws.
    package func put(_ file: String, as digest: SHA256Sum) async throws {
        let source = try await blocking { try OpenFile(file) }
        if source.size > partSize {
            try await putParts(source, as: digest)
        } else {
            _ = try await client.send(
                S3Client.Call(
                    method: .PUT, key: digest.description, body: .file(source, 0..<source.size, sha256: digest)))
        }
    }

    /// The number of bytes; nil where none are kept.
    private func size(of digest: SHA256Sum) async throws -> Int? {
        let response = try await client.send(
            S3Client.Call(method: .HEAD, key: digest.description), accepting: [404])
        return response.status == .notFound ? nil : response.headers.first(name: "content-length").flatMap { Int($0) }
    }

    /// - Throws: ``PhotoStoreError``.
    package func read(_ digest: SHA256Sum, _ range: Range<Int>?) async throws -> PhotoBytes {
        var call = S3Client.Call(method: .GET, key: digest.description)
        if let range {
            guard !range.isEmpty else { return try await nothing(of: digest) }
            call.headers["range"] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
        }
        let response = try await client.send(call, accepting: [404, 416])
        if response.status == .notFound { throw PhotoStoreError.notFound(digest) }
        if response.status == .rangeNotSatisfiable { return try await nothing(of: digest) }
        // Content-Range: bytes 0-9/443
        let whole = response.headers.first(name: "content-range")?.split(separator: "/").last.map(String.init)
        let size = (whole ?? response.headers.first(name: "content-length")).flatMap { Int($0) } ?? 0
        let body = BodyCursor(response.body)
        return PhotoBytes(size: size, chunks: AsyncThrowingStream { try await body.next() })
    }

    private func nothing(of digest: SHA256Sum) async throws -> PhotoBytes {
        guard let size = try await size(of: digest) else { throw PhotoStoreError.notFound(digest) }
        return PhotoBytes(size: size, chunks: AsyncThrowingStream { nil })
    }

    /// Bytes put again between the check of their age and the removal are lost: S3 has no condition for that.
    /// - Throws: ``PhotoStoreError``.
    @discardableResult
    package func remove(_ digest: SHA256Sum, putBefore moment: Date) async throws -> Bool {
        var page = S3Client.Call(method: .GET, query: ["list-type": "2", "max-keys": "1"])
        page.query["prefix"] = client.location.prefix + digest.description
        guard let kept = try await client.document(page).kept(below: client.location.prefix).first,
            kept.putAt < moment
        else { return false }
        _ = try await client.send(
            S3Client.Call(method: .DELETE, key: digest.description), accepting: [404])
        return true
    }

    /// All objects with the prefix that are named by digests.
    package func kept() -> AsyncThrowingStream<KeptBytes, any Error> {
        let listing = S3Listing(client)
        return AsyncThrowingStream { try await listing.next() }
    }
}

extension S3PhotoStore {
    /// Sends a file in parts. Parts of an upload that fails are removed.
    private func putParts(_ file: OpenFile, as digest: SHA256Sum) async throws {
        let key = digest.description
        let begun = try await client.document(S3Client.Call(method: .POST, key: key, query: ["uploads": ""]))
        guard let upload = begun.first("UploadId") else {
            throw PhotoStoreError.s3(operation: "CreateMultipartUpload", status: 200, code: "no UploadId")
        }
        do {
            var parts = ""
            for (index, start) in stride(from: 0, to: file.size, by: partSize).enumerated() {
                let range = start..<min(start + partSize, file.size)
                let sent = try await client.send(
                    S3Client.Call(
                        method: .PUT, key: key, query: ["partNumber": "\(index + 1)", "uploadId": upload],
                        body: .file(file, range, sha256: try await SHA256Sum(of: file.chunks(range)))))
                let tag = sent.headers.first(name: "etag") ?? ""
                parts += "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(tag)</ETag></Part>"
            }
            _ = try await client.document(
                S3Client.Call(
                    method: .POST, key: key, query: ["uploadId": upload],
                    body: .text("<CompleteMultipartUpload>\(parts)</CompleteMultipartUpload>")))
        } catch {
            _ = try? await client.send(
                S3Client.Call(method: .DELETE, key: key, query: ["uploadId": upload]), accepting: [404])
            throw error
        }
    }
}

/// The body of a response, piece by piece.
private actor BodyCursor {
    private var iterator: HTTPClientResponse.Body.AsyncIterator

    init(_ body: HTTPClientResponse.Body) {
        iterator = body.makeAsyncIterator()
    }

    func next() async throws -> ByteBuffer? {
        var iterator = iterator
        defer { self.iterator = iterator }
        return try await iterator.next(isolation: self)
    }
}

/// The objects of a bucket, a page of the listing at a time.
private actor S3Listing {
    private let client: S3Client
    private var found: [KeptBytes] = []
    /// The token of the next page; nil after the last.
    private var continuation: String? = ""

    init(_ client: S3Client) {
        self.client = client
    }

    func next() async throws -> KeptBytes? {
        while found.isEmpty, let token = continuation {
            var query = ["list-type": "2", "prefix": client.location.prefix]
            if !token.isEmpty { query["continuation-token"] = token }
            let page = try await client.document(S3Client.Call(method: .GET, query: query))
            found = page.kept(below: client.location.prefix)
            continuation = page.first("IsTruncated") == "true" ? page.first("NextContinuationToken") : nil
        }
        return found.popLast()
    }
}

extension S3Document {
    /// The objects of a listing that are named by digests; a key deeper below the prefix is not ours.
    fileprivate func kept(below prefix: String) -> [KeptBytes] {
        zip(all("Key"), all("LastModified")).compactMap { key, moment in
            guard let digest = SHA256Sum(hexadecimal: String(key.dropFirst(prefix.count))),
                let putAt = Self.fractional.parsed(moment) ?? Self.whole.parsed(moment)
            else { return nil }
            return KeptBytes(digest: digest, putAt: putAt)
        }
    }

    private static let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private static let whole = Date.ISO8601FormatStyle()
}

extension Date.ISO8601FormatStyle {
    fileprivate func parsed(_ text: String) -> Date? { try? parse(text) }
}
