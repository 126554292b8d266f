import Domain
import JSON
import Service
import Web

extension ResearchExportRequest {
    /// Reads `{format, filter?, rejected?, asOf?}`, and finds all faults.
    /// - Throws: as ``ExportRequest/init(_:among:_:lastDay:further:)``.
    init(_ json: JSONValue, _ vocabulary: FilterVocabulary, lastDay: CivilDate) async throws {
        var rejected: RejectedChoice?
        let request = try await ExportRequest(json, among: Self.formats, vocabulary, lastDay: lastDay) {
            rejected = $0.optional("rejected", RejectedChoice.init(word:))
        }
        self.init(
            format: request.format, filter: request.filter, ranges: request.ranges, rejected: rejected ?? .with,
            day: request.day)
    }
}
