import Domain
import EventLog
import Postgres

extension RecordSelection {
    /// The records that a survey depends on: all those of visits of which a record ever met the filter, also records
    /// that are not passed on, for these decide whether a visit is complete. The visits of a forgotten observer are
    /// gone; then it is the records that met the filter.
    init(surveyOf filter: RecordFilter) {
        let members = RecordFilter.conditionsOfVisits
        self.init(
            RecordFilter(),
            and: """
                s.visit is not null
                and exists (select from \(identifier: ReadModel.sightingsPublic.schema).records m
                             where m.visit = s.visit and \(fragment: filter.condition(members, of: "m")))
                or s.forgotten is not null and \(fragment: filter.condition(members))
                """)
    }
}
