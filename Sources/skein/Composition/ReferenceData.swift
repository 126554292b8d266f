import Domain
import Logging
import Service

/// The taxa and the sensitivity list that come with Skein, brought into the log.
///
/// Loading them again adds only what is new in the files: it changes no name, parent or description, and gives no
/// category to a taxon somebody has decided about. A process that starts while another loads finds the same commands
/// and doubles nothing.
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
            let summary = try await TaxaImport(log: log).run("\(share)/taxa/\(group).tsv", standing: .beneath)
            logger.debug("taxa of the distribution", metadata: ["group": "\(group)", "summary": "\(summary)"])
        }
        let summary = try await SensitivityImport(log: log).run("\(share)/sensitivity.tsv", standing: .beneath)
        logger.debug("sensitivity list of the distribution", metadata: ["summary": "\(summary)"])
    }
}
