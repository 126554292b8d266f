import Foundation

/// The processor time of a process, from `/proc`.
enum ProcessorTime {
    /// Seconds since it started, on all processors; nil where there is no such process or no `/proc`.
    static func seconds(of process: Int32) -> Double? {
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            // The name, in parentheses, may have spaces.
            let end = stat.lastIndex(of: ")")
        else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return nil }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Seconds of all child processes that have ended.
    static var secondsOfEndedChildren: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
    }

    /// The share of one processor that a process uses for a while, in percent.
    static func percent(of process: Int32, for time: Duration) async throws -> Double {
        let (began, used) = (ContinuousClock.now, seconds(of: process) ?? 0)
        try await Task.sleep(for: time)
        return ((seconds(of: process) ?? 0) - used) / began.duration(to: .now).seconds * 100
    }
}
