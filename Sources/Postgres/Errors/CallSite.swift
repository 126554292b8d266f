/// The place in our source that asked the database for something; kept in errors so that a log line names the culprit.
package struct CallSite: Sendable, Hashable {
    /// `#fileID` of the caller, for example `EventLog/Appender.swift`.
    package let file: String
    /// One-based line in ``file``.
    package let line: Int

    /// Records a place.
    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    /// The place this is written at.
    package static func here(file: String = #fileID, line: Int = #line) -> CallSite {
        CallSite(file: file, line: line)
    }
}
