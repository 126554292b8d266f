import ArgumentParser
import Domain
import Logging
import PhotoStore
import Service

/// `skein photos`
struct Photos: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Manage the photo store.", subcommands: [Check.self])

    /// `skein photos check`
    struct Check: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read all photos; print those that are missing or altered, and files that belong to none.",
            discussion: """
                One line for each fault, with tabs: the fault, the SHA-256, the photo. A file that is orphaned may \
                belong to a photo that is being uploaded, or to one that was deleted. Exits with status 1 if a photo \
                is missing or altered.
                """)

        @OptionGroup var options: DatabaseOptions

        func run(on database: Database, logger: Logger) async throws {
            let settings = try PhotoSettings(dataDirectory: database.dataDirectory)
            let photos = try await database.withPool(logger: logger) { try await PhotoInventory($0).digests() }
            var counts: [StoreCheck.Fault: Int] = [:]
            try await StoreCheck(settings.store).run(expecting: Set(photos.keys)) { digest, fault in
                counts[fault, default: 0] += 1
                print("\(fault.rawValue)\t\(digest)\t\(photos[digest]?.description ?? "-")")
            }
            func count(_ fault: StoreCheck.Fault) -> String { "\(counts[fault] ?? 0) \(fault.rawValue)" }
            print("\(photos.count) files examined: \(count(.missing)), \(count(.altered)), \(count(.orphaned))")
            guard counts[.missing] == nil, counts[.altered] == nil else { throw ExitCode(1) }
        }
    }
}
