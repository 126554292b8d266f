import Foundation
import Testing

@testable import PhotoStore

/// The examples of "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)", Amazon S3 API
/// Reference.
struct SignatureV4Tests {
    private static let signature = SignatureV4(
        credentials: S3Credentials(
            accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        region: "us-east-1", date: Date(timeIntervalSince1970: 1_369_353_600))
    private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let headers = [
        "host": "examplebucket.s3.amazonaws.com", "x-amz-content-sha256": empty, "x-amz-date": "20130524T000000Z",
    ]

    @Test func `an object is asked for`() {
        let value = Self.signature.authorization(
            method: "GET", path: "/test.txt", query: "",
            headers: Self.headers.merging(["range": "bytes=0-9"]) { $1 }, payload: Self.empty)
        #expect(Self.signature.timestamp == "20130524T000000Z")
        #expect(
            value == """
                AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,\
                SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,\
                Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41
                """)
    }

    @Test func `objects are listed`() {
        let value = Self.signature.authorization(
            method: "GET", path: "/", query: "max-keys=2&prefix=J", headers: Self.headers, payload: Self.empty)
        #expect(value.hasSuffix("Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"))
    }

    @Test func `names and values of a query are percent-encoded`() {
        #expect(SignatureV4.encoded("a/b c+d~é=") == "a%2Fb%20c%2Bd~%C3%A9%3D")
    }

    @Test func `keys are never printed`() {
        #expect(!"\(Self.signature)".contains("wJalr") && !String(reflecting: Self.signature).contains("wJalr"))
    }
}

struct S3LocationTests {
    @Test(arguments: [
        ("s3://photos", "https", "photos.s3.us-east-1.amazonaws.com", "/k", ""),
        ("s3://photos/a/b/?region=eu-west-1", "https", "photos.s3.eu-west-1.amazonaws.com", "/k", "a/b/"),
        ("s3://photos/a?endpoint=http://127.0.0.1:9000", "http", "127.0.0.1:9000", "/photos/k", "a/"),
        ("s3://photos?endpoint=https://s3.example.org&style=virtual", "https", "photos.s3.example.org", "/k", ""),
    ])
    func `a location`(_ text: String, scheme: String, host: String, path: String, prefix: String) throws {
        let location = try S3Location(text)
        #expect(location.scheme == scheme && location.host == host)
        #expect(location.path("k") == path && location.prefix == prefix)
    }

    @Test(arguments: [
        ("https://photos", "must be a folder, or s3://"), ("s3://", "must"), ("s3://ab", "bucket"),
        ("s3://Photos", "bucket"), ("s3://photos/a%20b", "prefix"), ("s3://photos?endpoint=example", "endpoint"),
        ("s3://photos?endpoint=ftp://example", "endpoint"), ("s3://photos?endpoint=https://a/b", "endpoint"),
        ("s3://photos?style=other", "style"), ("s3://photos?regoin=eu", "may set"),
        ("s3://photos?region=a&region=b", "each once"), ("s3://photos?region=", "region"),
    ])
    func `no location`(_ text: String, rule: String) {
        let error = #expect(throws: S3Location.Invalid.self) { try S3Location(text) }
        #expect(error?.rule.contains(rule) == true, "\(String(describing: error))")
    }
}
