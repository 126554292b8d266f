import Domain
import EventLog
package import Logging
import NIOConcurrencyHelpers

/// Chooses the targets of every region when its week begins, as long as it runs.
package struct RotationService: Sendable {
    /// How often it looks whether a week has begun.
    package static let tick = Duration.seconds(30)

    private let rotation: TargetRotation
    private let logger: Logger
    /// The last week that is settled in each region, so that nothing is read while nothing is due.
    private let settled = NIOLockedValueBox<[RegionCode: ISOWeek]>([:])

    package init(_ rotation: TargetRotation, logger: Logger) {
        self.rotation = rotation
        self.logger = logger
    }

    /// Looks repeatedly until the task is cancelled.
    package func run() async {
        await repeating(every: Self.tick, else: "targets not chosen", at: .error, to: logger) { try await look() }
    }

    /// Chooses where a week has begun for which nothing is settled.
    package func look() async throws {
        let due = try rotation.calendar.places.regions.filter { region in
            let week = try rotation.calendar.runningWeek(of: region)
            return settled.withLockedValue { $0[region.code] != week }
        }
        guard !due.isEmpty else { return }
        for result in try await rotation.run(due.map(\.code)) { note(result) }
    }

    private func note(_ result: TargetRotation.Result) {
        let about: Logger.Metadata = ["region": "\(result.region)", "week": "\(result.week)"]
        switch result.outcome {
        case .early, .beforeFirst: return
        case .behind: return logger.debug("targets wait for the read model", metadata: about)
        case .withoutTaxa: return logger.debug("targets wait for taxa", metadata: about)
        case .failed(let reason):
            return logger.error("targets not chosen", metadata: about.merging(["error": "\(reason)"]) { $1 })
        case .missed: return logger.warning("no targets were chosen in a week that is over", metadata: about)
        case .chosen(let choice):
            let relaxed = choice.relaxed.map(\.rawValue).joined(separator: ", ")
            logger.info("targets chosen", metadata: about.merging(["relaxed": "\(relaxed)"]) { $1 })
        case .settled: break
        }
        settled.withLockedValue { $0[result.region] = result.week }
    }
}
