import Domain
package import JSON
package import Service

extension OwnWeek: JSONRepresentable {
    /// The week with `captured`, the finding and the seconds that are left of each target; null for an account without
    /// a region.
    package func write(to writer: inout JSONWriter) {
        writer.object { write(members: &$0) }
    }

    fileprivate func write(members writer: inout JSONWriter) {
        writer.field("week", week.map { CountedWeek(own: self, week: $0) })
    }
}

/// A week as one account sees it.
private struct CountedWeek: JSONRepresentable {
    let own: OwnWeek
    let week: ShownWeek

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            week.write(members: &writer, each: write(whole:of:), replaced: write(capture:of:))
        }
    }

    private func write(whole writer: inout JSONWriter, of target: ShownTarget) {
        writer.object { writer in
            target.write(members: &writer)
            write(capture: &writer, of: target)
            writer.field("secondsLeft", own.secondsLeft(for: target))
        }
    }

    private func write(capture writer: inout JSONWriter, of target: ShownTarget) {
        let (state, finding) = own.capture(of: target)
        writer.field("captured", state.rawValue)
        writer.field("findingId", finding)
    }
}

extension OwnProgress: JSONRepresentable {
    /// The running week, the numbers of weeks, and the captured species by their kinds.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            week.write(members: &writer)
            writer.field("completedWeeks", weeks.completedWeeks)
            writer.field("currentRun", weeks.currentRun)
            writer.field("longestRun", weeks.longestRun)
            writer.field(
                "capturedSpecies",
                object: { writer in
                    for kind in TaxonKind.allCases { writer.field(named: kind.rawValue, species[kind] ?? 0) }
                })
        }
    }
}
