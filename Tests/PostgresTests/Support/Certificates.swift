import Foundation

/// A certificate authority of the tests' own, a certificate for `localhost` signed by it, and another authority.
struct Certificates {
    let directory: String
    let certificate: String
    let key: String

    init() throws {
        directory = "/tmp/sk-ca-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/bin/sh")
        openssl.arguments = ["-c", Self.script]
        openssl.currentDirectoryURL = URL(filePath: directory)
        try openssl.run()
        openssl.waitUntilExit()
        certificate = try String(contentsOfFile: "\(directory)/server.crt", encoding: .utf8)
        key = try String(contentsOfFile: "\(directory)/server.key", encoding: .utf8)
    }

    private static let script = """
        set -e
        exec > log 2>&1
        new="openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
        $new -keyout ca.key -out ca.crt -subj "/CN=Test authority"
        $new -keyout other.key -out other.crt -subj "/CN=Another authority"
        openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \\
            -keyout server.key -out server.csr -subj "/CN=localhost"
        echo "subjectAltName=DNS:localhost" > san
        openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile san -out server.crt
        """

    func remove() {
        try? FileManager.default.removeItem(atPath: directory)
    }
}
