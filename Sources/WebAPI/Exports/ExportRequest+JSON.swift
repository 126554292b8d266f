import Domain
import JSON
import Service
import Web

extension ExportRequest {
    /// Reads `{format, filter?, asOf?}`, and finds all faults.
    /// - Parameters:
    ///   - formats: those that may be asked for.
    ///   - further: reads further members.
    /// - Throws: `Faults`, `ProblemDetails` where a taxon has no range; what the look-up of a dataset throws.
    init(
        _ json: JSONValue, among formats: [ExportFormat] = ExportFormat.allCases, _ vocabulary: FilterVocabulary,
        lastDay: CivilDate, further: (inout JSONObjectReader) -> Void = { _ in }
    ) async throws {
        var body = JSONObjectReader(json)
        let format = body.required("format") { (word) throws(RuleViolation) in
            guard let format = formats.first(where: { $0.rawValue == word }) else {
                throw .vocabulary(formats.map(\.rawValue))
            }
            return format
        }
        further(&body)
        let day = body.optional("asOf") { (text) throws(RuleViolation) in
            let day = try CivilDate(text)
            guard day <= lastDay else { throw .dayNotOver }
            return day
        }
        let node = body.take("filter")
        var faults = Faults()
        faults.check("") { try body.finish() }
        var filter = RecordFilter()
        var ranges: RangeTerms?
        // A table of ranges must have one, which names its taxa.
        let given = node == nil || node == .null ? (format == .ranges ? JSONValue.object([]) : nil) : node
        if let given {
            var members = JSONObjectReader(given, at: "/filter")
            filter = try await members.publicFilter(statuses: BulkQuery.statuses, vocabulary)
            ranges = members.rangeTerms(for: format, beside: filter, vocabulary)
            members.noteConditionsOfRecords(for: format, in: filter)
            faults.check("") { try members.finish() }
        }
        try faults.throwIfAny()
        guard let format else { throw faults }
        guard vocabulary.haveRanges(ranges, filter) else { throw ProblemDetails(.rankTooHigh) }
        self.init(format: format, filter: filter, day: day, ranges: ranges)
    }
}
