import ArgumentParser
import Foundation
import TestSupport

/// `skein-torture`: many clients at once, while processes are killed, stopped and frozen at random; then a check that
/// nothing was lost, duplicated or skipped.
@main
struct TortureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skein-torture",
        abstract: "Kill, stop and freeze Skein under load, then prove that its log and its clients agree.",
        discussion: """
            Every round has a PostgreSQL and two `skein serve` of its own. A round that fails prints its seed; \
            `--rounds 1 --seed S` draws the same faults and requests again, and `--keep` leaves the logs of all \
            processes behind.
            """)

    @Option(help: "Rounds, one after the other.")
    var rounds = 3

    @Option(help: "Clients at once, at least 4: five of eight over HTTP, the others straight to the log.")
    var clients = 8

    @Option(
        help: """
            Seconds of faults in a round, at least: every fault of its plan comes once, however long it takes. \
            With less than 20 only the faults that come in every round.
            """)
    var seconds = 26

    @Option(
        help: "What the first round's faults and requests are drawn from; each further round takes the next number.")
    var seed: UInt64?

    @Flag(help: "Keep the data directories, with the logs of all processes.")
    var keep = false

    func validate() throws {
        if rounds < 1 { throw ValidationError("--rounds must be at least 1") }
        if clients < 4 { throw ValidationError("--clients must be at least 4") }
        if seconds < 1 { throw ValidationError("--seconds must be at least 1") }
    }

    func run() async throws {
        let first = seed ?? UInt64.random(in: 1...999_999_999)
        guard let allAreClean = await Interruption.cancelling({ await play(from: first) }) else {
            throw ExitCode(130)
        }
        if !allAreClean { throw ExitCode.failure }
    }

    /// Plays rounds until one has a violation.
    private func play(from first: UInt64) async -> Bool {
        let isShort = seconds < 20
        if !isShort, !SmallDisk.isPossible { print("without a full disk, which only root can make") }
        for number in 0..<rounds {
            if Task.isCancelled { return false }
            let seed = first &+ UInt64(number)
            let plan = RoundPlan.of(seed, isShort: isShort, fillsDisk: number == 0 && SmallDisk.isPossible)
            let round = Round(seed: seed, clients: clients, seconds: seconds, plan: plan, keepsFiles: keep)
            do {
                let report = try await round.run()
                print("round \(number + 1) of \(rounds): \(report)")
                // Unbuffered, also for a pipe.
                fflush(nil)
                if !report.violations.isEmpty { return fail(seed) }
            } catch {
                if Task.isCancelled { return false }
                print("round \(number + 1) of \(rounds), seed \(seed): \(String(reflecting: error))")
                return fail(seed)
            }
        }
        return true
    }

    private func fail(_ seed: UInt64) -> Bool {
        print(
            "try again with: skein-torture --rounds 1 --clients \(clients) --seconds \(seconds) --seed \(seed) --keep")
        return false
    }
}
