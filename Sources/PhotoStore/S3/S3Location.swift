import Foundation

/// A bucket of an S3 service, and the prefix of the photos in it.
package struct S3Location: Sendable, Equatable {
    /// How a URL names the bucket.
    package enum Style: String, Sendable {
        /// `https://endpoint/bucket/key`
        case path
        /// `https://bucket.endpoint/key`
        case virtual
    }

    /// A text is not a location.
    package struct Invalid: Error {
        /// Follows the setting's name in the message.
        package let rule: String
    }

    package let bucket: String
    /// Ends with a slash, or is empty.
    package let prefix: String
    package let region: String
    /// `https` or `http`.
    package let scheme: String
    /// The host that requests go to, with the port unless it is the scheme's default.
    package let host: String
    package let style: Style

    /// - Parameter text: `s3://bucket/prefix?endpoint=https://host&region=eu-west-1&style=path`. The endpoint
    ///   defaults to Amazon's of the region, the region to `us-east-1`, and the style to `path` with an endpoint, to
    ///   `virtual` without one.
    package init(_ text: String) throws(Invalid) {
        guard let parts = URLComponents(string: text), parts.scheme == "s3", let bucket = parts.host else {
            throw Invalid(rule: "must be a folder, or s3://bucket/prefix?endpoint=…&region=…")
        }
        guard (3...63).contains(bucket.utf8.count), bucket.utf8.allSatisfy(Self.isBucketCharacter) else {
            throw Invalid(rule: "must name a bucket of 3 to 63 lower-case letters, digits, dots and hyphens")
        }
        let prefix = parts.path.split(separator: "/").joined(separator: "/")
        guard prefix.utf8.allSatisfy(Self.isKeyCharacter) else {
            throw Invalid(rule: "must have a prefix of letters, digits, and . _ - /")
        }
        let settings = try Self.settings(parts.queryItems ?? [])
        let region = settings["region"] ?? "us-east-1"
        guard !region.isEmpty, region.utf8.allSatisfy(Self.isBucketCharacter) else {
            throw Invalid(rule: "must have a region like eu-west-1")
        }
        guard let style = Style(rawValue: settings["style"] ?? (settings["endpoint"] == nil ? "virtual" : "path"))
        else { throw Invalid(rule: "must have the style path or virtual") }
        let endpoint = URLComponents(string: settings["endpoint"] ?? "https://s3.\(region).amazonaws.com")
        guard let endpoint, let scheme = endpoint.scheme, ["http", "https"].contains(scheme), let host = endpoint.host,
            !host.isEmpty, endpoint.path.isEmpty || endpoint.path == "/"
        else { throw Invalid(rule: "must have an endpoint like https://s3.example.org") }
        (self.bucket, self.region, self.scheme, self.style) = (bucket, region, scheme, style)
        self.prefix = prefix.isEmpty ? "" : prefix + "/"
        self.host = (style == .virtual ? bucket + "." : "") + host + (endpoint.port.map { ":\($0)" } ?? "")
    }

    /// The path of an object in a URL; without a key, that of the bucket.
    func path(_ key: String = "") -> String {
        (style == .path ? "/\(bucket)/" : "/") + key
    }

    private static func settings(_ items: [URLQueryItem]) throws(Invalid) -> [String: String] {
        var settings: [String: String] = [:]
        for item in items {
            guard ["endpoint", "region", "style"].contains(item.name), settings[item.name] == nil else {
                throw Invalid(rule: "may set endpoint, region and style, each once")
            }
            settings[item.name] = item.value ?? ""
        }
        return settings
    }

    private static func isBucketCharacter(_ byte: UInt8) -> Bool {
        isKeyCharacter(byte) && byte != UInt8(ascii: "_") && byte != UInt8(ascii: "/")
            && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    private static func isKeyCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "._-/".utf8.contains(byte)
        }
    }
}

/// The keys that requests are signed with. Never printed.
package struct S3Credentials: Sendable, CustomStringConvertible, CustomReflectable {
    let accessKey: String
    let secretKey: String
    /// Comes with temporary keys; nil for permanent ones.
    let sessionToken: String?

    package init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }

    package var description: String { "S3Credentials" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
