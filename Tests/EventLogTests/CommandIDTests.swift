import EventLog
import FoundationEssentials
import Testing

struct CommandIDTests {
    private let account = UUID()

    @Test func `depend on account, command, target and key, and on nothing else`() {
        let (key, target) = (UUID(), UUID())
        let id = CommandID.derive(account: account, command: "SubmitSighting", key: key)
        #expect(id == CommandID.derive(account: account, command: "SubmitSighting", key: key))
        #expect(id != CommandID.derive(account: UUID(), command: "SubmitSighting", key: key))
        #expect(id != CommandID.derive(account: account, command: "CorrectSighting", key: key))
        #expect(id != CommandID.derive(account: account, command: "SubmitSighting", key: UUID()))
        let aimed = CommandID.derive(account: account, command: "SubmitSighting", target: target, key: key)
        #expect(aimed == CommandID.derive(account: account, command: "SubmitSighting", target: target, key: key))
        #expect(aimed != id)
        #expect(aimed != CommandID.derive(account: account, command: "SubmitSighting", target: UUID(), key: key))
    }

    /// Ids that share the time of their keys would show which sightings one person sent together.
    @Test(arguments: [UUID(), UUID(uuidString: "01927A3B-4C5D-7E6F-8A9B-0C1D2E3F4A5B") ?? UUID()])
    func `say nothing of the key, even if it begins with the time`(key: UUID) {
        let id = CommandID.derive(account: account, command: "SubmitSighting", key: key)
        let stream = CommandID.stream(kind: "sighting", of: id)
        #expect(id != stream)
        for uuid in [id, stream] {
            #expect(uuid.bytes[6] >> 4 == 8)
            #expect(uuid.bytes[8] >> 6 == 0b10)
            #expect(Array(uuid.bytes[..<6]) != Array(key.bytes[..<6]))
        }
        #expect(Array(id.bytes[..<6]) != Array(stream.bytes[..<6]))
    }

    @Test func `made of names keep the names apart`() {
        #expect(CommandID.named("ab", "c") != CommandID.named("a", "bc"))
        #expect(CommandID.named("taxon", "bird", "species", "Troglodytes pacificus").uuidString.count == 36)
    }

    @Test func `round-trip their bytes`() {
        #expect(UUID(bytes: account.bytes) == account)
    }
}
