// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        // Specialises generic functions of one module where another one calls them.
        .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
    ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdTesting: Target.Dependency = .product(name: "HummingbirdTesting", package: "hummingbird")
let jwtKit: Target.Dependency = .product(name: "JWTKit", package: "jwt-kit")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let locks: Target.Dependency = .product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")

func target(
    _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [], _ more: [SwiftSetting] = []
) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings + more)
}

/// Optimises, in debug builds too, code that tests run millions of times. Assertions stay enabled.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

let package = Package(
    name: "skein",
    products: [
        .executable(name: "skein", targets: ["skein"]),
        .executable(name: "skein-bench", targets: ["SkeinBench"]),
        .executable(name: "skein-torture", targets: ["Torture"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(
            name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
        .systemLibrary(name: "CLibVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CVips", dependencies: ["CLibVips"], linkerSettings: [.linkedLibrary("webp")]),
        target("Bytes", [], optimised),
        target("JSON", ["Bytes"], optimised),
        target("Domain", ["Bytes", "CIDN2", "JSON"], optimised),
        target("Postgres", ["Bytes", "CLibPQ", crypto, deque, locks, logging, nioCore, nioPosix], optimised),
        target("FileLocks", []),
        target("PrivateServer", ["Bytes", "FileLocks", crypto, locks, logging]),
        target("EventLog", ["Bytes", "Postgres", crypto, deque, locks, logging, nioCore, nioPosix]),
        target("Exchange", ["Bytes", "CArchive", "CZlib", "Domain"], optimised),
        target(
            "PhotoStore",
            ["Bytes", "CVips", asyncHTTPClient, crypto, locks, nioCore, nioHTTP1, nioPosix, subprocess, system],
            optimised),
        target("Vault", ["Bytes", "Domain", "Postgres", crypto]),
        target("ReadModels", ["Domain", "EventLog", "JSON", "Postgres"], resources: readModelSQL),
        target(
            "Service",
            [
                "Bytes", "Domain", "EventLog", "Exchange", "FileLocks", "JSON", "PhotoStore", "Postgres", "ReadModels",
                "Vault", crypto, cryptoExtras, deque, jwtKit, locks, logging, nioCore, nioPosix, subprocess, system,
            ]),
        target(
            "Imports",
            ["Bytes", "Domain", "EventLog", "Exchange", "JSON", "Postgres", "Service", "Vault", crypto, locks]),
        target("Forms", ["Domain", "JSON", "ReadModels", "Service", nioCore]),
        target(
            "Web",
            [
                "Bytes", "CZlib", "Domain", "JSON", "ReadModels", "Service", crypto, httpTypes, hummingbird, lifecycle,
                locks, logging, nioCore, nioHTTP1, nioPosix,
                .product(name: "HummingbirdCore", package: "hummingbird"),
            ]),
        target(
            "WebAPI",
            [
                "Bytes", "Domain", "Forms", "JSON", "ReadModels", "Service", "Web", httpTypes, hummingbird, lifecycle,
                nioCore,
            ]),
        target("TestRandom", []),
        target("TestSupport", ["CVips", "EventLog", "JSON", "Postgres", "PrivateServer", crypto, locks, logging]),
        .executableTarget(
            name: "skein",
            dependencies: [
                "CMalloc", "Domain", "EventLog", "Exchange", "Forms", "Imports", "JSON", "PhotoStore", "Postgres",
                "PrivateServer", "ReadModels", "Service", "Vault", "Web", "WebAPI", argumentParser, lifecycle, locks,
                logging, unixSignals,
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "private-server-probe", dependencies: ["PrivateServer", logging], path: "Tests/PrivateServerProbe",
            swiftSettings: settings),
        .executableTarget(
            name: "Torture",
            dependencies: [
                "Domain", "EventLog", "JSON", "Postgres", "PrivateServer", "ReadModels", "Service", "TestRandom",
                "TestSupport",
                argumentParser, asyncHTTPClient, crypto, locks, logging, nioCore, nioHTTP1, nioPosix, unixSignals,
            ],
            path: "Tests/Torture", swiftSettings: settings),
        .executableTarget(
            name: "SkeinBench",
            dependencies: [
                "Domain", "EventLog", "PhotoStore", "Postgres", "PrivateServer", "ReadModels", "Service",
                argumentParser, httpTypes, hummingbird, locks, logging, nioCore, nioHTTP1, nioPosix, unixSignals,
            ],
            path: "Benchmarks/SkeinBench", swiftSettings: settings),
        tests("BytesTests", ["Bytes", "TestRandom"]),
        tests("DomainTests", ["Domain", "JSON", "TestRandom"], exclude: ["Fixtures"]),
        tests(
            "EndToEndTests",
            [
                "Bytes", "Domain", "FileLocks", "Postgres", "PrivateServer", "Service", "TestSupport", "Vault", "Web",
                "WebAPI", "skein", argumentParser, asyncHTTPClient, locks, logging, nioCore, nioHTTP1, nioPosix,
            ], exclude: ["Cost/counted_calls.c"]),
        tests("ExchangeTests", ["CArchive", "Domain", "Exchange", "JSON", "TestRandom"]),
        tests("JSONTests", ["JSON", "TestRandom"]),
        tests("EventLogTests", ["EventLog", "JSON", "Postgres", "TestSupport", crypto, locks, logging]),
        tests(
            "PhotoStoreTests",
            [
                "CVips", "CZlib", "PhotoStore", "TestRandom", "TestSupport", "skein", asyncHTTPClient, httpTypes,
                hummingbird, lifecycle, nioCore,
            ], exclude: ["Fixtures"]),
        tests("PostgresTests", ["Postgres", "TestRandom", "TestSupport", locks, logging]),
        tests("PrivateServerTests", ["Bytes", "FileLocks", "PrivateServer", "private-server-probe", logging]),
        tests(
            "ServiceTests",
            [
                "Bytes", "Domain", "EventLog", "Exchange", "FileLocks", "Imports", "JSON", "PhotoStore", "Postgres",
                "ReadModels", "Service", "TestRandom", "TestSupport", "Vault", jwtKit, locks, logging, nioCore,
            ]),
        tests(
            "ReadModelsTests",
            ["Domain", "EventLog", "Postgres", "ReadModels", "TestRandom", "TestSupport", crypto, logging],
            exclude: ["Fixtures"]),
        tests("TestRandomTests", ["TestRandom"]),
        tests("TestSupportTests", ["Postgres", "PrivateServer", "TestSupport", logging]),
        tests("VaultTests", ["Domain", "Postgres", "TestRandom", "TestSupport", "Vault", logging]),
        tests(
            "WebAPITests",
            [
                "Bytes", "CZlib", "Domain", "EventLog", "Exchange", "Forms", "Imports", "JSON", "PhotoStore",
                "Postgres", "ReadModels", "Service", "TestRandom", "TestSupport", "Web", "WebAPI", "skein", crypto,
                httpTypes, hummingbird, hummingbirdTesting, locks, logging, nioCore, nioHTTP1,
                .product(name: "Yams", package: "Yams"),
            ]),
    ]
)

/// The SQL of the read models, embedded a file each; `<model>.<part>.sql` becomes
/// `PackageResources.<model>_<part>_sql`.
var readModelSQL: [Resource] {
    [
        "Events/event_types", "Events/given_status", "Events/present_fold", "Events/sighting_events",
        "Accounts/accounts.events", "Accounts/accounts.table", "Accounts/accounts.rows",
        "Datasets/datasets.events", "Datasets/datasets.table", "Datasets/datasets.rows",
        "Exports/exports.events", "Exports/exports.table", "Exports/exports.rows",
        "Targets/targets.events", "Targets/targets.table", "Targets/targets.rows",
        "Taxa/taxa.events", "Taxa/taxa.table", "Taxa/taxa.rows",
        "Photos/photos.events", "Photos/photos.table", "Photos/photos.fold", "Photos/photos.alike",
        "Moderation/moderation.events", "Moderation/moderation.table", "Moderation/moderation.fold",
        "SightingsExact/sightings_exact.events", "SightingsExact/sightings_exact.table",
        "SightingsExact/sightings_exact.fold", "SightingsExact/sightings_exact.asked",
        "SightingsPublic/sightings_public.events", "SightingsPublic/sightings_public.table",
        "SightingsPublic/sightings_public.generalise", "SightingsPublic/sightings_public.taxa",
        "SightingsPublic/sightings_public.knowledge", "SightingsPublic/sightings_public.pieces",
        "SightingsPublic/sightings_public.moderators", "SightingsPublic/sightings_public.margin",
        "SightingsPublic/sightings_public.counted", "SightingsPublic/sightings_public.evidence",
        "SightingsPublic/sightings_public.rows", "SightingsPublic/sightings_public.photos",
        "SightingsPublic/sightings_public.rejected", "SightingsPublic/sightings_public.fold",
    ].map { .embedInCode("\($0).sql") }
}

/// `SKEIN_TESTS` names test targets, separated by commas, to build alone: for builds of their own, as under sanitizers.
if let names = Context.environment["SKEIN_TESTS"] { package.narrow(to: names.split(separator: ",").map(String.init)) }

extension Package {
    /// Keeps only the named targets and what they depend on.
    func narrow(to names: [String]) {
        precondition(names.allSatisfy { name in targets.contains { $0.name == name } }, "SKEIN_TESTS names no target")
        var (needed, rest): (Set<String>, [String]) = ([], names)
        var packages: Set<String> = []
        while let name = rest.popLast() {
            guard needed.insert(name).inserted, let target = targets.first(where: { $0.name == name }) else { continue }
            for dependency in target.dependencies {
                switch dependency {
                case .byNameItem(let name, _), .targetItem(let name, _): rest.append(name)
                case .productItem(_, let package?, _, _): packages.insert(package)
                default: break
                }
            }
        }
        targets.removeAll { !needed.contains($0.name) }
        products.removeAll { _ in true }
        dependencies.removeAll { dependency in
            guard case .sourceControl(_, let location, _) = dependency.kind else { return false }
            return !packages.contains(where: location.hasSuffix)
        }
    }
}
