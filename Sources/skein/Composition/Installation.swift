import Domain
import Foundation
import Imports
import Logging
import Postgres
import Service

/// Where the files are that come with the program.
struct Installation {
    /// Reference data.
    let share: String
    /// The migrations' `.sql` files.
    let migrations: String
    /// `openapi.yaml`.
    let document: String
    /// `docs/about.md`.
    let about: String

    /// Finds them: `SKEIN_SHARE_DIR`, or `share` beside the program or in a folder above it, or above the working
    /// directory; the migrations, `openapi.yaml` and `docs` are beside `share`.
    /// - Throws: ``SettingError`` when they are not there.
    static func find(_ environment: Environment = .process) throws -> Installation {
        if let share = environment[.share] {
            guard isShare(share) else {
                throw SettingError(.share, "must be a folder with Skein's reference data")
            }
            return Installation(share: share)
        }
        // Not the first argument: of a program found through PATH that is its bare name.
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        for start in [program, here] {
            var folder = start
            for _ in 0..<6 {
                let share = folder.appendingPathComponent("share").path
                if isShare(share) { return Installation(share: share) }
                folder.deleteLastPathComponent()
            }
        }
        throw SettingError(.share, "must be set: there is no share folder near the program")
    }

    /// What brings a database to the schema of this program.
    func migrator(logger: Logger) throws -> Migrator {
        Migrator(try MigrationFolder(path: migrations).load(), logger: logger)
    }

    private init(share: String) {
        self.share = share
        let folder = URL(fileURLWithPath: share).deletingLastPathComponent()
        migrations = folder.appendingPathComponent("migrations").path
        document = folder.appendingPathComponent("openapi.yaml").path
        about = folder.appendingPathComponent("docs/about.md").path
    }

    private static func isShare(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path + "/places/borders.tsv")
    }
}

/// The taxa and the sensitivity list that come with Skein, brought into the log.
///
/// Loading them again adds only what is new in the files: it changes no name, parent or description, and gives no
/// category to a taxon that an operator has decided about. A process that starts while another loads finds the same
/// commands and doubles nothing.
struct ReferenceData: Sendable {
    private let log: ImportLog
    private let share: String
    private let logger: Logger

    init(_ log: ImportLog, _ installation: Installation, logger: Logger) {
        self.log = log
        share = installation.share
        self.logger = logger
    }

    /// Loads what is missing.
    /// - Throws: what reading and appending throws.
    func load() async throws {
        // Parents come first.
        for group in ["higher", "birds", "mammals", "reptiles", "amphibians"] {
            let summary = try await TaxaImport(log: log).run("\(share)/taxa/\(group).tsv", existing: .kept)
            logger.debug("taxa of the distribution", metadata: ["group": "\(group)", "summary": "\(summary)"])
        }
        let summary = try await SensitivityImport(log: log).run("\(share)/sensitivity.tsv", existing: .kept)
        logger.debug("sensitivity list of the distribution", metadata: ["summary": "\(summary)"])
    }
}
