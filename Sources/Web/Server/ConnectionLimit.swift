import Logging
import NIOConcurrencyHelpers
import NIOCore

/// Counts the connections of each client and of all together.
final class ConnectionLimit: Sendable {
    private struct State {
        var clients: [ClientAddress: Int] = [:]
        var total = 0
        var warned: NIODeadline?
    }

    private let perClient: Int?
    private let most: Int
    private let state = NIOLockedValueBox(State())

    /// - Parameters:
    ///   - perClient: connections of one address; nil for no limit, as behind proxies, through which all clients come.
    ///   - most: connections of all clients. Beyond the limit of open files the system itself rejects them, silently.
    init(perClient: Int?, most: Int) {
        self.perClient = perClient
        self.most = most
    }

    /// Counts a connection until it is closed.
    /// - Returns: whether it is within the limits.
    func admits(_ channel: any Channel, _ logger: Logger) -> Bool {
        let address = ClientAddress(channel.remoteAddress)
        guard count(address, logger) else { return false }
        channel.closeFuture.whenComplete { _ in self.discount(address) }
        return true
    }

    private func count(_ address: ClientAddress?, _ logger: Logger) -> Bool {
        state.withLockedValue { state in
            guard state.total < most else {
                warn(&state, logger)
                return false
            }
            if let address {
                let count = state.clients[address, default: 0]
                if let perClient, count >= perClient { return false }
                state.clients[address] = count + 1
            }
            state.total += 1
            return true
        }
    }

    /// Once a minute.
    private func warn(_ state: inout State, _ logger: Logger) {
        let now = NIODeadline.now()
        if let warned = state.warned, now - warned < .minutes(1) { return }
        state.warned = now
        logger.warning("too many connections: new ones are closed", metadata: ["most": "\(most)"])
    }

    private func discount(_ address: ClientAddress?) {
        state.withLockedValue { state in
            state.total -= 1
            guard let address, let count = state.clients[address] else { return }
            state.clients[address] = count > 1 ? count - 1 : nil
        }
    }
}

/// A connection beyond the limits.
struct TooManyConnections: Error {}
