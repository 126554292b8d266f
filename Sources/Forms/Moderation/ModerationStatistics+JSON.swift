package import JSON
package import ReadModels

extension ModerationStatistics: JSONRepresentable {
    /// Writes the waiting items, and the decisions by week and by moderator.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("waiting", waiting)
            writer.field("weeks", weeks)
            writer.field("moderators", moderators)
        }
    }
}

extension ModerationStatistics.Waiting: JSONRepresentable {
    /// Writes the numbers of waiting items.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("photos", photos)
            writer.field("sightings", sightings)
            writer.field("secondOpinions", secondOpinions)
            writer.field("oldest", oldest)
        }
    }
}

extension ModerationStatistics.Week: JSONRepresentable {
    /// Writes the decisions of a week.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("week", week)
            writer.field("decisions", decisions)
            writer.field("medianSeconds", median)
            writer.field("p95Seconds", p95)
        }
    }
}

extension ModerationStatistics.Decider: JSONRepresentable {
    /// Writes the decisions of a moderator.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("moderatorId", moderator)
            writer.field("decisions", decisions)
            writer.field("overturned", overturned)
        }
    }
}

extension PublicModerationStatistics: JSONRepresentable {
    /// Writes the decisions by week, and those of all moderators.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("weeks", weeks)
            writer.field("total", total)
        }
    }
}

extension PublicModerationStatistics.Total: JSONRepresentable {
    /// Writes the decisions of all moderators.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("moderators", moderators)
            writer.field("decisions", decisions)
            writer.field("overturned", overturned)
        }
    }
}
