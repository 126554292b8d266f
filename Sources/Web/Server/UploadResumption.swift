import NIOHTTP1

/// An outbound event of a connection: 104 (Upload Resumption Supported), which says where an upload can be resumed.
///
/// Source: draft-ietf-httpbis-resumable-upload-14 section 5.
package struct UploadResumption: Sendable {
    /// The path of the upload.
    let location: String
    /// The value of `Upload-Limit`.
    let limit: String
    /// The version of the draft that the client named.
    let version: String?

    package init(location: String, limit: String, version: String?) {
        (self.location, self.limit, self.version) = (location, limit, version)
    }

    var head: HTTPResponseHead {
        var headers: HTTPHeaders = ["Location": location, "Upload-Limit": limit]
        if let version { headers.add(name: "Upload-Draft-Interop-Version", value: version) }
        let status = HTTPResponseStatus.custom(code: 104, reasonPhrase: "Upload Resumption Supported")
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }
}
