import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends single requests, each over its own connection, for everything that is not the load itself.
struct APIClient: Sendable {
    struct Answer: Sendable {
        var status: UInt = 0
        var body: [UInt8] = []
    }

    let port: Int
    var token: String?
    /// The address that its connections come from, such as 127.0.0.2; nil for the system's choice. The service
    /// distinguishes clients by it.
    var address: String?

    /// The URL of the service.
    var base: String { "http://127.0.0.1:\(port)" }

    func get(_ path: String) async throws -> Answer {
        try await execute(head(path, .GET), [])
    }

    func post(_ path: String, _ body: [UInt8], type: String = "application/json") async throws -> Answer {
        var head = head(path, .POST)
        head.headers.add(name: "Content-Type", value: type)
        head.headers.add(name: "Content-Length", value: "\(body.count)")
        head.headers.add(name: "Idempotency-Key", value: UUID().uuidString.lowercased())
        return try await execute(head, body)
    }

    private func head(_ path: String, _ method: HTTPMethod) -> HTTPRequestHead {
        var headers: HTTPHeaders = ["Host": "127.0.0.1:\(port)"]
        if let token { headers.add(name: "Authorization", value: "Bearer " + token) }
        return HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
    }

    private func execute(_ head: HTTPRequestHead, _ body: [UInt8]) async throws -> Answer {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        let source = try address.map { try SocketAddress(ipAddress: $0, port: 0) }
        let channel = try await (source.map { bootstrap.bind(to: $0) } ?? bootstrap)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(.head(head))
            if !body.isEmpty { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body)))) }
            try await outbound.write(.end(nil))
            var answer = Answer()
            for try await part in inbound {
                switch part {
                case .head(let head): answer.status = head.status.code
                case .body(let bytes): answer.body += bytes.readableBytesView
                case .end: return answer
                }
            }
            throw ProgramError(description: "the service closed a connection before it had answered")
        }
    }
}

extension APIClient {
    /// A birder's e-mail address and password.
    struct Birder: Sendable {
        let email: String
        let password = "quiet-heron-at-dawn"

        init() {
            email = "bench-\(UUID().uuidString.lowercased())@example.org"
        }
    }

    /// Signs a birder up.
    /// - Returns: the account's id.
    func register(_ birder: Birder) async throws -> UUID {
        let body = [
            "email": birder.email, "password": birder.password, "name": "Bench Birder", "state": "US-WA",
        ].map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",")
        let answer = try await post("/v1/accounts", Array("{\(body),\"oldEnough\":true}".utf8))
        try answer.expect(201, "signing up")
        struct Account: Decodable { let id: UUID }
        return try answer.decoded(Account.self).id
    }

    /// A client with a fresh access token of a birder.
    func signedIn(_ birder: Birder) async throws -> APIClient {
        let body = #"{"email":"\#(birder.email)","password":"\#(birder.password)"}"#
        let answer = try await post("/v1/sessions", Array(body.utf8))
        try answer.expect(201, "logging in")
        struct Session: Decodable { let accessToken: String }
        var client = self
        client.token = try answer.decoded(Session.self).accessToken
        return client
    }
}

extension APIClient.Answer {
    func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }

    /// - Throws: ``ProgramError`` for another status.
    func expect(_ wanted: UInt, _ what: String) throws {
        guard status == wanted else {
            throw ProgramError(description: "\(what) was answered \(status): \(String(decoding: body, as: UTF8.self))")
        }
    }
}
