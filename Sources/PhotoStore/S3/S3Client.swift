import AsyncHTTPClient
import Bytes
import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Signs and sends requests to a bucket, and retries those that may succeed later.
struct S3Client: Sendable {
    /// A request before it is signed.
    struct Call {
        var method: HTTPMethod
        /// nil for the bucket.
        var key: String?
        var query: [String: String] = [:]
        var headers: [String: String] = [:]
        var body: Body = .none
    }

    /// A body that can be sent repeatedly.
    enum Body: Sendable {
        case none
        case text(String)
        /// A part of a file, and its SHA-256.
        case file(OpenFile, Range<Int>, sha256: SHA256Sum)
    }

    let location: S3Location
    let credentials: S3Credentials
    let http: HTTPClient
    let retries: Retries

    /// The number of attempts, and the delays between them.
    struct Retries: Sendable {
        /// The first one included.
        var attempts = 5
        /// Before the second attempt; doubled for each further one, and shortened at random by up to a half.
        var first: Duration = .milliseconds(200)

        func wait(after attempt: Int) async throws {
            try await Task.sleep(for: first * (1 << attempt) * Double.random(in: 0.5...1))
        }
    }

    /// Sends a request until it succeeds, fails permanently or has failed too often.
    /// - Parameter accepted: the statuses that count as success, besides 2xx.
    /// - Throws: ``PhotoStoreError/s3(operation:status:code:)``; `CancellationError`.
    func send(_ call: Call, accepting accepted: Set<Int> = []) async throws -> HTTPClientResponse {
        var attempt = 0
        while true {
            let failure: PhotoStoreError
            do {
                let response = try await http.execute(request(call), timeout: Self.timeout)
                let status = Int(response.status.code)
                if (200..<300).contains(status) || accepted.contains(status) { return response }
                failure = await self.failure(call, response)
            } catch let error as CancellationError {
                throw error
            } catch {
                failure = .s3(operation: call.method.rawValue, status: 0, code: "\(type(of: error))")
            }
            attempt += 1
            guard failure.isTemporary, attempt < retries.attempts else { throw failure }
            try await retries.wait(after: attempt - 1)
        }
    }

    /// Sends a request, and parses the XML response.
    func document(_ call: Call) async throws -> S3Document {
        let body = try await send(call).body.collect(upTo: Self.mostDocumentBytes)
        let document = S3Document(Data(body.readableBytesView))
        // S3 responds 200 to a slow request before its outcome is known.
        if let code = document.first("Code"), document.root == "Error" {
            throw PhotoStoreError.s3(operation: call.method.rawValue, status: 500, code: code)
        }
        return document
    }

    private func failure(_ call: Call, _ response: HTTPClientResponse) async -> PhotoStoreError {
        let body = try? await response.body.collect(upTo: Self.mostDocumentBytes)
        let code = body.flatMap { S3Document(Data($0.readableBytesView)).first("Code") } ?? ""
        // "Your socket connection to the server was not read from or written to within the timeout period."
        let status = code == "RequestTimeout" ? 503 : Int(response.status.code)
        return .s3(operation: call.method.rawValue, status: status, code: code)
    }

    private func request(_ call: Call) -> HTTPClientRequest {
        let signature = SignatureV4(credentials: credentials, region: location.region, date: Date())
        let path = location.path(call.key.map { location.prefix + $0 } ?? "")
        let query = call.query.sorted { $0.key < $1.key }
            .map { "\(SignatureV4.encoded($0.key))=\(SignatureV4.encoded($0.value))" }.joined(separator: "&")
        let payload = call.body.sha256.description
        var headers = call.headers
        headers["host"] = location.host
        headers["x-amz-date"] = signature.timestamp
        headers["x-amz-content-sha256"] = payload
        headers["x-amz-security-token"] = credentials.sessionToken
        headers["authorization"] = signature.authorization(
            method: call.method.rawValue, path: path, query: query, headers: headers,
            payload: payload)
        var request = HTTPClientRequest(
            url: "\(location.scheme)://\(location.host)\(path)\(query.isEmpty ? "" : "?")\(query)")
        request.method = call.method
        request.headers = HTTPHeaders(headers.map { ($0.key, $0.value) })
        request.body = call.body.sent
        return request
    }

    private static let timeout = TimeAmount.minutes(5)
    private static let mostDocumentBytes = 4 << 20

    /// Lives as long as the process, as do its threads.
    static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        // `send` retries.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout = .init(connect: .seconds(5), read: .seconds(60))
        return HTTPClient(eventLoopGroup: .singletonMultiThreadedEventLoopGroup, configuration: configuration)
    }()
}

extension S3Client.Body {
    fileprivate var sha256: SHA256Sum {
        switch self {
        case .none: SHA256Sum(SHA256.hash(data: Data()))
        case .text(let text): SHA256Sum(SHA256.hash(data: Data(text.utf8)))
        case .file(_, _, let sha256): sha256
        }
    }

    fileprivate var sent: HTTPClientRequest.Body? {
        switch self {
        case .none: nil
        case .text(let text): .bytes(ByteBuffer(string: text))
        case .file(let file, let range, _): .stream(file.chunks(range), length: .known(Int64(range.count)))
        }
    }
}
