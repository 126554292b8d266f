import Domain
package import JSON
import ReadModels
package import Service

extension ShownWeek: JSONRepresentable {
    /// The targets of a region and week as anyone sees them. Scores are left out: few observers may have
    /// contributed.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            write(members: &writer) { writer, target in
                writer.object { target.write(members: &$0) }
            }
        }
    }

    /// - Parameters:
    ///   - write: writes one of the present targets.
    ///   - addition: writes further members of a replaced one.
    func write(
        members writer: inout JSONWriter, each write: (inout JSONWriter, ShownTarget) -> Void,
        replaced addition: (inout JSONWriter, ShownTarget) -> Void = { _, _ in }
    ) {
        writer.field("id", id)
        writer.field("region", region.code)
        writer.field("zone", region.zone)
        writer.field("week", week.description)
        writer.field("status", status.rawValue)
        writer.field("startsAt", startsAt.text())
        writer.field("endsAt", endsAt.text())
        writer.field("relaxed", relaxed)
        writer.field("targets", array: targets, write)
        writer.field("replaced", array: replaced) { writer, target in
            writer.object { writer in
                writer.field("id", target.row.id)
                writer.field("taxon", target.taxon)
                writer.field("reason", target.row.reason)
                writer.field("replacedBy", target.row.replacedBy)
                addition(&writer, target)
            }
        }
    }
}

extension ShownTarget {
    func write(members writer: inout JSONWriter) {
        writer.field("id", row.id)
        writer.field("taxon", taxon)
        writer.field("description", row.description)
        writer.field("link", row.link)
        writer.field("difficulty", row.difficulty)
        writer.field("image", image)
    }
}

extension TargetService.Week: JSONRepresentable {
    /// A region's week as admins see it.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("region", region)
            writer.field("week", week.description)
            writer.field("status", status)
            writer.field("plan", state.plan)
            writer.field("relaxed", choice?.relaxed ?? [])
            writer.field("targets", array: state.targets) { writer, target in
                writer.object { write(target, to: &$0) }
            }
            writer.field("replaced", array: state.replaced) { writer, former in
                writer.object { writer in
                    write(former.target, to: &writer)
                    writer.field("replacedBy", former.by)
                    writer.field("reason", former.reason)
                }
            }
        }
    }

    private var choice: TargetsChosen? {
        if case .chosen(let choice) = state.outcome { choice } else { nil }
    }

    private var status: String {
        switch state.outcome {
        case .open: "open"
        case .chosen: "chosen"
        case .missed: "missed"
        case .redacted: "redacted"
        }
    }

    private func write(_ target: ChosenTarget, to writer: inout JSONWriter) {
        writer.field("id", target.id)
        writer.field("taxonId", target.taxon)
        writer.field("basis", target.basis)
        writer.field("difficulty", target.difficulty)
        writer.field("findability", target.score?.findability)
        writer.field("recency", target.score?.recency)
        writer.field("records", target.score?.records)
        writer.field("observers", target.score?.observers)
        writer.field("seasons", target.score?.seasons)
    }
}
