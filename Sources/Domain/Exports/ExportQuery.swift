/// The contents of an export: which records, as of when, in which form. Equal queries with a day have the same export.
package struct ExportQuery: PayloadPart, Hashable {
    package var format: ExportFormat
    /// Names at least one status.
    package var filter: RecordFilter
    /// The day (UTC) at whose end it is as of; nil for the moment of the request, which is ``pin``.
    package var day: CivilDate?
    package var pin: ExportPin?
    /// The version of the rules by which records become bytes.
    package var outputVersion: Int
    /// A keyed hash of the settings that the bytes name: the public address, and in archives the organisation and its
    /// contact; nil if none is set. For tables of ranges, also of the version of the borders.
    package var site: Fingerprint?
    /// The terms of a table of ranges; nil for other formats.
    package var ranges: RangeTerms?

    static let shape = Shape<Self>(
        Self.init,
        .required("format", \.format),
        .required("filter", \.filter),
        .optional("asOf", \.day),
        .optional("pin", \.pin),
        .integer("outputVersion", \.outputVersion),
        .optional("site", \.site),
        .optional("ranges", \.ranges))

    /// - Parameter filter: without a status, it gets those that an export may hold.
    package init(
        format: ExportFormat, filter: RecordFilter, day: CivilDate?, pin: ExportPin? = nil, outputVersion: Int,
        site: Fingerprint? = nil, ranges: RangeTerms? = nil
    ) {
        (self.format, self.filter, self.day, self.pin) = (format, filter, day, pin)
        (self.outputVersion, self.site, self.ranges) = (outputVersion, site, ranges)
        if filter.statuses.isEmpty { self.filter.statuses = Set(BulkQuery.statuses) }
    }

    /// The text that a content id is made of: every member but the pin, which an export with a content id lacks.
    package var canonical: [String] {
        [
            format.rawValue, filter.canonical, day?.description ?? "", String(outputVersion), site?.text ?? "",
        ] + (ranges.map { [$0.canonical] } ?? [])
    }
}
