import Domain
import Forms
import JSON
import ReadModels
import Service
import Web

/// A page of records, with the day at whose end it is as of, and the statuses that it can have.
struct RecordPage<Record: JSONRepresentable & Sendable>: JSONRepresentable {
    let page: Page<Record>
    /// nil for the present.
    let day: CivilDate?
    let statuses: [SightingStatus]

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("items", page.items)
            writer.field("next", page.next)
            writer.field("asOf", day)
            writer.field("statuses", statuses)
        }
    }
}

/// The number of records that meet a filter, and how many of them a bulk answer leaves out.
struct RecordCount: JSONRepresentable {
    let count: BulkCount
    /// nil for the present.
    let day: CivilDate?
    let statuses: [SightingStatus]

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("records", count.matching)
            writer.field("leftOut") { writer in
                writer.field("noLicence", count.leftOut.noLicence)
                writer.field("notRepublished", count.leftOut.notRepublished)
            }
            writer.field("asOf", day)
            writer.field("statuses", statuses)
        }
    }
}
