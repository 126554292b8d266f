// swift-tools-version: 6.0
import PackageDescription

// Beside the package that openapi-generator makes; scripts/clients/run copies it there.
let package = Package(
    name: "Journey",
    dependencies: [.package(path: "../client")],
    targets: [.executableTarget(name: "Journey", dependencies: [.product(name: "OpenAPIClient", package: "client")])]
)
