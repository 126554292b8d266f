import FoundationEssentials
import TestRandom

extension RandomHistory {
    mutating func account() -> GeneratedEvent {
        let id = random.uuid()
        accounts.append(id)
        return GeneratedEvent(
            id, "account", "AccountRegistered",
            [
                "state": "US-WA", "region": "pacific-northwest", "licence": "CC-BY-4.0", "geoprivacy": "open",
                "attribution": .text(random.element(of: ["displayName", "anonymous"])), "observer": .id(random.uuid()),
                "roles": .array(["birder"]), "oldEnough": true,
            ])
    }

    /// An account that is erased does nothing afterwards; what others do with its sightings goes on.
    mutating func erasure() -> GeneratedEvent {
        let id = accounts.remove(at: random.int(in: 0...accounts.count - 1))
        return GeneratedEvent(
            id, "account", "AccountErased", ["sightings": .text(random.element(of: ["keep", "withdraw"]))])
    }

    mutating func roles() -> [GeneratedEvent] {
        let id = random.element(of: accounts)
        return (0...random.int(in: 0...1)).map { _ in
            !hasReviews && random.isTrue(oneIn: 2)
                ? settings(of: id)
                : GeneratedEvent(
                    id, "account", random.element(of: ["RoleGranted", "RoleRevoked"]),
                    ["role": .text(random.element(of: ["birder", "moderator", "admin"]))])
        }
    }

    private mutating func settings(of id: UUID) -> GeneratedEvent {
        let isNarrower = random.isTrue(oneIn: 2)
        let publicity: [String: JSONText] = random.element(of: [
            ["attribution": isNarrower ? "anonymous" : "displayName"],
            ["publicGallery": isNarrower ? false : true],
            [
                "attribution": isNarrower ? "anonymous" : "displayName",
                "publicGallery": isNarrower ? false : true,
            ],
        ])
        return random.element(of: [
            GeneratedEvent(id, "account", isNarrower ? "AccountNarrowed" : "AccountWidened", publicity),
            GeneratedEvent(
                id, "account", "AccountChanged",
                ["state": random.isTrue(oneIn: 2) ? "US-OR" : .null, "licence": "CC0-1.0", "language": "fr"]),
            GeneratedEvent(
                id, "account", "AccountSuspended", ["reason": "spam", "until": "2027-05-01T00:00:00Z"]),
            GeneratedEvent(id, "account", "AccountReinstated", ["reason": "other"]),
            GeneratedEvent(id, "account", "AccountNamesForgotten", [:]),
            GeneratedEvent(id, "account", "DisplayNameRemoved", ["reason": "offensive"]),
        ])
    }
}
