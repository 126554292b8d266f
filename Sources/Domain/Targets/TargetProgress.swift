/// How an account does with its targets: weeks with captures, and runs of them.
package struct TargetProgress: Hashable, Sendable {
    /// The number of one week's targets that an account has.
    package struct Week: Hashable, Sendable {
        package var captured: Int
        /// Findings that may still be approved.
        package var sent: Int

        package init(captured: Int, sent: Int) {
            (self.captured, self.sent) = (captured, sent)
        }
    }

    /// Weeks in which three targets of one region were captured.
    package let completedWeeks: Int
    /// The run of weeks with a capture that reaches the present.
    package let currentRun: Int
    package let longestRun: Int

    /// - Parameters:
    ///   - weeks: those with captures or sent findings.
    ///   - running: the week that it is; without a capture it does not end a run before it is over.
    package init(_ weeks: [ISOWeek: Week], running: ISOWeek) {
        completedWeeks = weeks.values.count { $0.captured >= TargetsDecider.count }
        var (run, longest) = (0, 0)
        if var week = weeks.keys.min() {
            while week <= running {
                let found = weeks[week] ?? Week(captured: 0, sent: 0)
                if found.captured > 0 {
                    run += 1
                } else if found.sent == 0, week < running {
                    run = 0
                }
                longest = max(longest, run)
                week = week.adding(weeks: 1)
            }
        }
        (currentRun, longestRun) = (run, longest)
    }
}
