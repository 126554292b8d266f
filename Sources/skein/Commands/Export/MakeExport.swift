import ArgumentParser
import Domain
import EventLog
import FoundationEssentials
import Logging
import ReadModels
import Service
import Vault
import Web

extension Export {
    /// `skein export make`, or `skein export` alone
    struct Make: ExportCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the records that a filter finds to a file.",
            discussion: """
                The manifest is written to FILE.manifest.json; none is written for standard output. As of a day, the \
                file has the bytes of the service's export of the same filter. Nothing is recorded. Files appear when \
                they are complete: after an error there is neither of them.
                """)

        @OptionGroup var options: DatabaseOptions

        @Option(help: "csv, tsv, geojson, geojsonseq, dwca, ranges or survey.")
        var format: String?

        @OptionGroup(title: "Filter") var filter: RecordFilterOptions

        @OptionGroup(title: "Ranges") var ranges: RangeTermsOptions

        @Option(
            help: """
                A day (UTC) that is over, such as 2026-05-01, for its end; a time with offset; or a position of the \
                log (default: now).
                """)
        var asOf: String?

        @Option(name: .shortAndLong, help: "The file to write; - is standard output.")
        var output: String?

        func run(with session: ExportSession) async throws {
            let (request, target) = try await read(session)
            try await Interruption.cancelling { try await target.write(request, session) }
        }

        /// Reads all options, and finds all faults.
        private func read(_ session: ExportSession) async throws -> (FileExportRequest, ExportTarget) {
            let (cases, log) = (session.cases, session.cases.ground.log)
            var texts = filter.texts.merging(ranges.texts) { $1 }
            (texts["format"], texts["asOf"], texts["output"]) = (format, asOf, output)
            let dataset = try await NamedDataset.find(texts["dataset"], session)
            texts["dataset"] = dataset.text
            var reader = OptionReader(texts)
            let format = reader.required("format", ExportFormat.init(word:))
            if dataset.isUnknown { reader.note("dataset", NamedDataset.unknown) }
            let vocabulary = FilterVocabulary(cases.ground.places.index, cases.ground.catalogue, cases.records.reads)
            let filter = try await reader.publicFilter(statuses: BulkQuery.statuses, vocabulary)
            let ranges = reader.rangeTerms(for: format, beside: filter, vocabulary)
            reader.noteConditionsOfRecords(for: format, in: filter)
            if !vocabulary.haveRanges(ranges, filter) {
                reader.note(
                    filter.taxon == nil ? "taxa" : "taxon",
                    RuleViolation(.range, "must name genera, species or subspecies"))
            }
            let head = try await log.current().position
            let asOf = reader.optional("asOf") { (text) throws(RuleViolation) in
                try FileExportRequest.AsOf(text, lastDay: log.lastDay, now: log.now(), head: head)
            }
            let target = reader.required("output") { (text) throws(RuleViolation) in try ExportTarget(text) }
            try reader.finish()
            guard let format, let target else { throw ValidationError("the options cannot be read") }
            let request = FileExportRequest(
                format: format, filter: filter, named: dataset.named, asOf: asOf ?? .now, ranges: ranges)
            return (request, target)
        }
    }
}

/// The dataset that an operator names by its id or its title.
private struct NamedDataset {
    static let unknown = RuleViolation(.unknown, "must be the id or the title of a dataset, or none")

    /// The id, or none; nil if nothing was given that means one.
    var text: String?
    var isUnknown = false
    /// It, if its records are not passed on.
    var named: Set<DatasetID> = []

    static func find(_ text: String?, _ session: ExportSession) async throws -> NamedDataset {
        guard let text else { return NamedDataset() }
        let datasets = try await DatasetQueries(session.pool).datasets()
        let choice = try? DatasetChoice(text: text)
        // Whether it is registered is a rule of the filter.
        guard choice == nil || choice?.id != nil else { return NamedDataset(text: text) }
        let titles = try await ContentStore(database: session.pool).content(
            of: datasets.map(\.id.uuid), fields: [.title])
        let dataset = datasets.first { dataset in
            dataset.id == choice?.id || choice == nil && titles[dataset.id.uuid]?[.title] == text
        }
        guard let dataset else { return NamedDataset(text: choice == nil ? nil : text, isUnknown: choice == nil) }
        return NamedDataset(text: dataset.id.description, named: dataset.republish == .yes ? [] : [dataset.id])
    }
}

extension FileExportRequest.AsOf {
    /// - Throws: `RuleViolation`.
    fileprivate init(_ text: String, lastDay: CivilDate, now: Instant, head: Int64) throws(RuleViolation) {
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            guard let position = Int64(text), position >= 1, position <= head else {
                throw RuleViolation(.range, "must be a position of the log, 1 to \(head)")
            }
            self = .position(position)
        } else if let day = try? CivilDate(text) {
            guard day <= lastDay else { throw RuleViolation(.range, "must be a day that is over, at most \(lastDay)") }
            self = .day(day)
        } else {
            guard let time = try? Instant(text) else {
                throw RuleViolation(
                    .format,
                    "must be a day such as 2026-05-01, a time such as 2026-05-01T07:30:00-07:00, or a position"
                )
            }
            guard time <= now else { throw RuleViolation(.range, "must not be in the future") }
            self = .time(time)
        }
    }
}
