import Domain
import EventLog
import ReadModels
import Vault

/// After the second revision, the next ones are made once an hour at most, so that restrictions of one record after the
/// other do not keep the service busy.
enum RevisionInterval {
    /// The least time between the making of a second or later revision and that of the next one.
    private static let length: Duration = .seconds(3_600)

    /// How long the next revision has to wait.
    /// - Parameter revision: the last one that was made.
    /// - Throws: what the database throws.
    static func left(after revision: Int, of export: ExportID, _ reads: Reads) async throws -> Duration {
        guard revision >= 2, let made = try await ExportQueries(reads.primary).lastMade(of: export) else {
            return .zero
        }
        let waited = reads.log.now().microsecondsSince1970 - made.microsecondsSince1970
        return min(max(.zero, length - .microseconds(waited)), length)
    }
}

extension ExportJobs {
    /// Begins a job for what is missing of an export that was made, unless there is one: its bytes, or its next
    /// revision.
    /// - Parameters:
    ///   - restricted: the last revision, if it is restricted; nil if its bytes are missing.
    ///   - most: the most exports that may wait to be made again; nil for no limit.
    /// - Returns: how long the job waits at least; nil if there is no room for it.
    /// - Throws: what the database throws.
    func remake(
        _ export: ExportID, after restricted: Int?, atMost most: Int?, _ reads: Reads
    ) async throws -> Duration? {
        var wait: Duration = .zero
        if let restricted { wait = try await RevisionInterval.left(after: restricted, of: export, reads) }
        return try await remake(export, atMost: most, after: wait) ? wait : nil
    }
}
