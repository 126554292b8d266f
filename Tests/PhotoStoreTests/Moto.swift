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
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", PackageRoot.path + "/scripts/moto"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        var line = Data()
        while !line.contains(UInt8(ascii: "\n")) {
            let read = output.fileHandleForReading.availableData
            guard !read.isEmpty else { throw CocoaError(.fileReadUnknown) }
            line += read
        }
        try await body(try JSONDecoder().decode(Moto.self, from: line))
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
