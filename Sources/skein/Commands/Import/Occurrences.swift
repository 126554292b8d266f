import ArgumentParser
import Domain
import Exchange
import Imports
import Logging
import Service

extension Import {
    /// `skein import occurrences`
    struct Occurrences: ImportCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import records from CSV, TSV (plain or gzip) or a Darwin Core archive (zip, tgz or a folder).",
            discussion: """
                A record whose occurrenceID is already known adds nothing, or corrects the known record. Stopping \
                halfway and starting again is safe. Rejected rows are written to a file next to the imported one. The \
                exit status is 1 if every row is rejected, or if --replace needs --yes.
                """)

        @OptionGroup var options: DatabaseOptions

        @Argument(help: "The file, or an archive's folder.")
        var file: String

        @Option(help: "The title of the dataset, or a former one; a new title creates a dataset.")
        var dataset: String

        @Option(help: "The publisher of the dataset.")
        var publisher: String?

        @Option(help: "Licence of records that name none: CC0-1.0, CC-BY-4.0 or CC-BY-NC-4.0.")
        var licence: Licence?

        @Option(help: "Whether the records may be passed on to others: yes or no.")
        var republish: Republishing?

        @Option(help: "Columns with other names than Darwin Core's, as theirs=ours,…")
        var columns: String?

        @Option(
            help: ArgumentHelp(
                "Columns whose values together name the visit of a row, as one,other,…", valueName: "columns"))
        var visit: String?

        @Flag(help: "The rows of each visit are all species that were identified on it.")
        var complete = false

        @Flag(
            help: """
                Also withdraw the records of the dataset that are not in the file. Needs --yes if these are more than \
                a tenth, or if the file has no rows.
                """)
        var replace = false

        @Flag(help: "Allow --replace to withdraw any number of records.")
        var yes = false

        @Flag(help: "Read and check everything, but append nothing.")
        var dryRun = false

        func validate() throws {
            _ = try request()
        }

        func run(in session: ImportSession) async throws {
            let request = try request()
            let imports = OccurrenceImport(log: session.log, names: session.names, places: session.places)
            let summary = try await ProgressBar.during { try await imports.run(request, progress: $0) }
            print(summary)
            if summary.isRejected { throw ExitCode.failure }
        }

        private func request() throws -> OccurrenceImportRequest {
            var request: OccurrenceImportRequest
            do {
                request = OccurrenceImportRequest(file: file, dataset: try DatasetTitle(dataset))
                request.publisher = try publisher.map(CreditLine.init)
            } catch {
                throw ValidationError("the dataset title or the publisher \(error.message)")
            }
            request.licence = licence
            request.republish = republish
            if let columns { request.columns = try ColumnMapping(parsing: columns) }
            if let visit { request.visits = try VisitNaming(parsing: visit, isComplete: complete) }
            guard visit != nil || !complete else {
                throw ValidationError("--complete needs --visit")
            }
            request.replace = replace
            request.isConfirmed = yes
            request.dryRun = dryRun
            return request
        }
    }
}

extension Licence: ExpressibleByArgument {}
extension Republishing: ExpressibleByArgument {}
