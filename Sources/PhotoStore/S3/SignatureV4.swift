import Bytes
import Crypto
import Foundation

/// The signature of a request to S3.
///
/// Source: AWS Signature Version 4, "Authenticating Requests: Using the Authorization Header".
struct SignatureV4 {
    let credentials: S3Credentials
    let region: String
    let date: Date

    /// The value of `x-amz-date`.
    var timestamp: String { Self.basicFormat.format(date) }

    /// The value of `Authorization`.
    /// - Parameters:
    ///   - path: percent-encoded.
    ///   - query: percent-encoded, with names in order.
    ///   - headers: all that are signed, with lower-case names; `host` and `x-amz-date` among them.
    ///   - payload: the SHA-256 of the body, as in `x-amz-content-sha256`.
    func authorization(
        method: String, path: String, query: String, headers: [String: String], payload: String
    ) -> String {
        let names = headers.keys.sorted()
        let signed = names.joined(separator: ";")
        let lines = names.map { "\($0):\(headers[$0] ?? "")\n" }.joined()
        let canonical = [method, path, query, lines, signed, payload].joined(separator: "\n")
        let day = String(timestamp.prefix(8))
        let scope = "\(day)/\(region)/s3/aws4_request"
        let hash = Hexadecimal.digits(of: Array(SHA256.hash(data: Data(canonical.utf8))))
        let text = ["AWS4-HMAC-SHA256", timestamp, scope, hash].joined(separator: "\n")
        let key = [day, region, "s3", "aws4_request"].reduce(Data("AWS4\(credentials.secretKey)".utf8)) {
            Self.code($1, key: $0)
        }
        let signature = Hexadecimal.digits(of: Array(Self.code(text, key: key)))
        return "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(signed),"
            + "Signature=\(signature)"
    }

    /// Percent-encodes all but RFC 3986's unreserved characters.
    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static func code(_ text: String, key: Data) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key)))
    }

    private static let basicFormat = Date.ISO8601FormatStyle(
        dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted, timeZone: .gmt)

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
