package import Domain

extension FieldReader {
    /// Reports the members of a survey's filter that would split its visits.
    /// - Parameter format: nil where it is faulty.
    package mutating func noteConditionsOfRecords(for format: ExportFormat?, in filter: RecordFilter) {
        guard format == .survey else { return }
        for member in filter.conditionsOfRecords { note(member.rawValue, .wholeVisits) }
    }
}

extension RuleViolation {
    fileprivate static let wholeVisits = RuleViolation(
        .unexpected, "is not for the format survey, whose visits have all their records")
}
