import Testing

@testable import Domain

struct AccountErasureTests {
    private let registered: [AccountEvent]

    init() throws {
        registered = [try EveryEvent.account()[0]]
    }

    @Test(arguments: LeavingChoice.allCases)
    func `leaving is one event, and leaves nothing of the state`(sightings: LeavingChoice) throws {
        let history = registered + [.roleGranted(RoleGranted(role: .moderator)), .emailVerified(EmailVerified())]
        let outcome = given(AccountDecider.self, history).when(.erase(sightings))
        outcome.then([.erased(AccountErased(sightings: sightings))])
        let next = outcome.next
        #expect(next.exists && next.isErased)
        #expect(next.registration == nil && next.settings == nil && next.roles.isEmpty && !next.isVerified)
    }

    @Test func `an account is erased once, and does nothing afterwards`() throws {
        let history = registered + [.erased(AccountErased(sightings: .keep))]
        given(AccountDecider.self, history).when(.erase(.withdraw)).thenNothing()
        let address = try EmailAddress("heron@example.org")
        for command: AccountCommand in [
            .grant(.moderator), .revoke(.moderator, .other), .reinstate(.other),
            .suspend(Suspension(reason: .spam, until: nil)), .removeDisplayName(.offensive),
            .verify(address, held: address), .changeEmail(address, held: nil), .changePassword(record: "scrypt$"),
        ] {
            given(AccountDecider.self, history).when(command).thenRejected(.erased)
        }
    }

    @Test func `it stays erased when the event is redacted, and an unknown account is not found`() throws {
        let redaction = RedactedEvent(
            type: AccountErased.type,
            tombstone: Tombstone(reason: .legal, sha256: try Fingerprint(String(repeating: "ab", count: 32))))
        given(AccountDecider.self, registered + [.redacted(redaction)]).when(.grant(.admin)).thenRejected(.erased)
        given(AccountDecider.self, []).when(.erase(.keep)).thenRejected(.notFound)
    }
}
