/// The records of a bulk answer: those that meet a filter and may be passed on. These have a licence, and were
/// submitted here or belong to a dataset whose terms allow it.
package struct BulkQuery: Hashable, Sendable {
    /// The statuses of a filter that names none, in the order in which answers name them. Requests may name no others.
    package static let statuses: [SightingStatus] = [.approved, .acceptedBySource]

    package var filter: RecordFilter
    /// Datasets that may not be passed on, but which an operator named.
    package var named: Set<DatasetID>
    /// Which rejected records it has, for researchers; nil for none.
    package var rejected: RejectedChoice?

    package init(
        filter: RecordFilter = RecordFilter(), named: Set<DatasetID> = [], rejected: RejectedChoice? = nil
    ) {
        (self.filter, self.named, self.rejected) = (filter, named, rejected)
    }

    /// The filter with the statuses that count.
    package var effectiveFilter: RecordFilter {
        var filter = filter
        if filter.statuses.isEmpty { filter.statuses = Set(Self.statuses) }
        switch rejected {
        case nil: break
        case .with: filter.statuses.insert(.rejected)
        case .only: filter.statuses = [.rejected]
        }
        return filter
    }
}

/// The records that meet the filter of a bulk answer but are not passed on, each counted once.
package struct LeftOut: Hashable, Sendable {
    /// Without a licence.
    package var noLicence: Int
    /// With a licence, but of a dataset that may not be passed on.
    package var notRepublished: Int

    package init(noLicence: Int = 0, notRepublished: Int = 0) {
        (self.noLicence, self.notRepublished) = (noLicence, notRepublished)
    }
}
