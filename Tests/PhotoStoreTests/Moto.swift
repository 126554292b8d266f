import AsyncHTTPClient
import Foundation
import PhotoStore
import TestSupport

/// A running `scripts/moto`.
struct Moto: Decodable {
    let port: Int
    let bucket: String
    let accessKey: String
    let secretKey: String

    static func withServer(_ body: (Moto) async throws -> Void) async throws {
        try await ScriptServer.run("moto") { server in
            let line = try await server.lines(orElse: "moto does not start")[0]
            try await body(try JSONDecoder().decode(Moto.self, from: Data(line.utf8)))
        }
    }

    var credentials: S3Credentials { S3Credentials(accessKey: accessKey, secretKey: secretKey) }

    func store(
        _ query: String = "endpoint=http://127.0.0.1:PORT", prefix: String = "photos", secretKey: String? = nil,
        http: HTTPClient? = nil
    ) throws -> S3PhotoStore {
        let settings = query.replacing("PORT", with: "\(port)")
        return S3PhotoStore(
            try S3Location("s3://\(bucket)/\(prefix)?\(settings)"),
            S3Credentials(accessKey: accessKey, secretKey: secretKey ?? self.secretKey), http: http,
            partSize: 5 << 20, firstWait: .milliseconds(1))
    }
}
