/// A researcher's own export: the query and its moment.
package struct ResearchExport: Hashable, Sendable {
    package let id: ExportID
    package let format: ExportFormat
    /// The text of the filter.
    package let filter: String
    /// The text of the terms of a table of ranges; nil for other formats.
    package let ranges: String?
    package let rejected: RejectedChoice
    /// The day (UTC) as of whose end it is; nil for the moment of the request.
    package let day: CivilDate?
    package let pin: ExportPin
    package let requestedAt: Instant

    package init(
        id: ExportID, format: ExportFormat, filter: String, ranges: String? = nil, rejected: RejectedChoice,
        day: CivilDate?, pin: ExportPin, requestedAt: Instant
    ) {
        (self.id, self.format, self.filter, self.ranges, self.rejected) = (id, format, filter, ranges, rejected)
        (self.day, self.pin, self.requestedAt) = (day, pin, requestedAt)
    }
}
