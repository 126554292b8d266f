import FoundationEssentials
import NIOCore
import TestRandom
import TestSupport

/// Sends a request to either service until the outcome of its commands is known, and records every sending.
struct WebSender: Sendable {
    /// The outcome of one command according to an answer.
    enum Outcome: Sendable, Equatable {
        /// Items of a batch have no position.
        case acknowledged(position: Int64?, version: Int)
        case conflict
        /// Unknown: send it again.
        case unknown
        /// The sighting was withdrawn; whether this command came before that is unknown.
        case moot
        /// An answer that must not occur.
        case wrong(String)

        var isDefinite: Bool { self != .unknown }
    }

    /// Longest time until the outcome of a request is known, stops and freezes included. One that takes long, such as a
    /// photo on a busy machine, has six attempts that wait in full.
    private static func patience(for request: WebRequest) -> Duration {
        max(.seconds(60), .nanoseconds(request.timeout.nanoseconds * 6))
    }

    let web: WebClient
    let recorder: Recorder
    var random: RandomSource

    /// Now and then it sends once more, as a client does that lost the answer.
    /// - Parameter read: an outcome for each of the commands.
    /// - Returns: the outcomes from `read`; unknown ones only after a cancellation or a timeout.
    mutating func deliver(
        _ request: WebRequest, _ commands: [History.Command], read: (WebAnswer) -> [Outcome]
    ) async -> [Outcome] {
        let deadline = ContinuousClock.now + Self.patience(for: request)
        var known: [Outcome]?
        var attempts: [Attempt] = []
        while true {
            let sent = ContinuousClock.now
            let answer = await send(request, &attempts)
            let answered = ContinuousClock.now
            let outcomes =
                answer.map { self.outcomes($0, read, commands.count) }
                ?? commands.map { _ in Outcome.unknown }
            for (command, outcome) in zip(commands, outcomes) {
                recorder.sent(command, at: sent, answered: answered, outcome.answer)
                if case .wrong(let text) = outcome { recorder.complain("\(request.method) \(request.path): \(text)") }
            }
            if Task.isCancelled { return known ?? outcomes }
            if outcomes.allSatisfy(\.isDefinite) {
                guard known == nil, random.isTrue(oneIn: 8) else { return known ?? outcomes }
                known = outcomes
            }
            if ContinuousClock.now > deadline {
                giveUp(request, attempts, answer)
                return outcomes
            }
            try? await Task.sleep(for: .milliseconds(random.int(in: 20...250)))
        }
    }

    /// One sending of a request to a service, with the status of the response and the time until it came.
    private struct Attempt: CustomStringConvertible {
        let service: Int
        /// nil: no answer.
        let status: Int?
        let took: Duration

        var description: String {
            "service \(service + 1): \(status.map(String.init) ?? "none") after \(Int(took / .milliseconds(1))) ms"
        }
    }

    /// Sends a request once, to either service.
    private mutating func send(_ request: WebRequest, _ attempts: inout [Attempt]) async -> WebAnswer? {
        let (service, sent) = (random.int(in: 0...web.services - 1), ContinuousClock.now)
        let answer = await web.send(request, to: service)
        attempts.append(Attempt(service: service, status: answer?.status, took: sent.duration(to: .now)))
        return answer
    }

    private func giveUp(_ request: WebRequest, _ attempts: [Attempt], _ last: WebAnswer?) {
        let text = last.map { String(decoding: $0.body.prefix(500), as: UTF8.self) } ?? ""
        recorder.complain(
            "\(request.method) \(request.path) was not answered within \(Self.patience(for: request)): "
                + "\(attempts.suffix(10).map(\.description).joined(separator: ", ")) \(text)")
    }

    private func outcomes(_ answer: WebAnswer, _ read: (WebAnswer) -> [Outcome], _ count: Int) -> [Outcome] {
        if answer.status >= 500 { return Array(repeating: .unknown, count: count) }
        let outcomes = read(answer)
        if outcomes.count == count { return outcomes }
        return Array(repeating: .wrong("\(outcomes.count) outcomes of \(count) commands"), count: count)
    }

    /// Sends a request that changes nothing until there is an answer.
    /// - Returns: nil after a cancellation or a timeout.
    mutating func ask(_ request: WebRequest) async -> WebAnswer? {
        let deadline = ContinuousClock.now + Self.patience(for: request)
        var attempts: [Attempt] = []
        while !Task.isCancelled {
            let answer = await send(request, &attempts)
            if let answer, answer.status < 500 { return answer }
            if ContinuousClock.now > deadline {
                giveUp(request, attempts, answer)
                return nil
            }
            try? await Task.sleep(for: .milliseconds(random.int(in: 20...250)))
        }
        return nil
    }
}

extension WebSender.Outcome {
    /// The outcome in the history's terms.
    var answer: History.Sending.Answer {
        switch self {
        case .acknowledged(let position, let version): .acknowledged(position: position, version: version)
        case .conflict: .conflict
        case .unknown, .moot: .unknown
        case .wrong: .rejected
        }
    }

    /// Reads the outcome from the answer to a single command.
    /// - Parameter version: used if the answer has no entity tag.
    init(_ answer: WebAnswer, success: Int, version: Int? = nil) {
        if answer.status == success, let position = answer.position, let version = answer.version ?? version {
            self = .acknowledged(position: position, version: version)
        } else if answer.status == 412 {
            self = .conflict
        } else if answer.status == 409, answer.problem == "withdrawn" {
            self = .moot
        } else {
            self = .wrong("\(answer.status) \(String(decoding: answer.body.prefix(500), as: UTF8.self))")
        }
    }
}
