import ArgumentParser
import Domain
import FoundationEssentials
import Logging
import PhotoStore
import Service

/// `skein photos`
struct Photos: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Manage the photo store.", subcommands: [Check.self, Sweep.self, Render.self])

    /// `skein photos check`
    struct Check: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read all photos; print those that are missing or altered, and files that belong to no photo.",
            discussion: """
                One line for each fault, tab-separated: the fault, the SHA-256, the photo. A file that is orphaned may \
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

    /// `skein photos sweep`
    struct Sweep: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove bytes that no photo needs any longer.",
            discussion: """
                Run it once a day. Removes the bytes of photos that were deleted, redacted, or withdrawn with their \
                sighting for privacy, a day after they were last stored. Prints their digests.
                """)

        /// Longer than any upload takes, in seconds.
        private static let age = 86_400.0

        @OptionGroup var options: DatabaseOptions

        func run(on database: Database, logger: Logger) async throws {
            let settings = try PhotoSettings(dataDirectory: database.dataDirectory)
            let before = Date(timeIntervalSinceNow: -Self.age)
            let photos = try await database.withPool(logger: logger) { try await PhotoInventory($0).digests() }
            var count = 0
            try await StoreCheck(settings.store).sweep(keeping: Set(photos.keys), putBefore: before) { digest in
                print(digest)
                count += 1
            }
            print("\(photos.count) files kept, \(count) removed")
        }
    }

    /// `skein photos render`
    struct Render: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the renditions of photos again.",
            discussion: """
                For a version that makes them otherwise, or a store that lost them. Prints the photos whose original \
                is missing or cannot be rendered, and exits with status 1 if there are any. The renditions that were \
                replaced go with the next sweep.
                """)

        @OptionGroup var options: DatabaseOptions

        @Flag(help: "All photos.")
        var all = false

        @Option(help: "Only this photo.")
        var photo: PhotoID?

        func validate() throws {
            guard all == (photo == nil) else { throw ValidationError("give either --all or --photo") }
        }

        func run(on database: Database, logger: Logger) async throws {
            let wanted = photo
            try await UseCases.with(database, try .find(), logger: logger) { cases in
                let photos = if let wanted { [wanted] } else { try await cases.photos.inventory.photos() }
                var counts: [PhotoService.Rerendering: Int] = [:]
                for photo in photos {
                    // Gone: its owner deleted it meanwhile.
                    guard let outcome = try await cases.photos.service.renderAgain(photo) else { continue }
                    counts[outcome, default: 0] += 1
                    if [.missing, .failed].contains(outcome) { print("\(outcome.rawValue)\t\(photo)") }
                }
                print("\(photos.count) photos, \(counts[.renewed] ?? 0) of them made again")
                if counts[.missing] != nil || counts[.failed] != nil { throw ExitCode(1) }
            }
        }
    }
}

extension PhotoID: ExpressibleByArgument {}
