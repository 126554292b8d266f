import Testing

@testable import Domain

struct AccountDeciderTests {
    @Test func `a person signs up`() throws {
        let outcome = given(AccountDecider.self).when(.register(try Samples.registration()))
        let decision = try #require(outcome.decision)
        guard case .registered(let payload) = decision.events.first else {
            Issue.record("expected AccountRegistered")
            return
        }
        #expect(payload.region?.text == "pacific-northwest", "the region is the state's where none is chosen")
        #expect(payload.roles == [.birder] && decision.events.count == 1)
        #expect(decision.reservations == [Reservation(kind: .email, text: "ann@example.org")])
        outcome.keeps([
            ContentWrite(event: 0, field: .email, value: "Ann@Example.org"),
            ContentWrite(event: 0, field: .name, value: "Ann Heron"),
            ContentWrite(event: 0, field: .password, value: "scrypt$…"),
            ContentWrite(event: 0, field: .displayName, value: "heron"),
        ])
        #expect(outcome.next.exists && outcome.next.roles == [.birder])
    }

    @Test func `everything wrong is told`() throws {
        var registration = try Samples.registration()
        registration.region = try RegionCode("hawaii")
        registration.oldEnough = false
        given(AccountDecider.self).when(.register(registration)).thenRejected(
            .invalid(
                Faults([
                    Fault("/region", RuleViolation(.conflict, "must be the region that the state is part of")),
                    Fault("/oldEnough", RuleViolation(.range, "must be true: the statement of being old enough")),
                ])))
    }

    @Test func `nobody signs up twice`() throws {
        given(AccountDecider.self, [try EveryEvent.account()[0]])
            .when(.register(try Samples.registration())).thenRejected(.alreadyRegistered)
        given(AccountDecider.self, [.redacted(EveryEvent.redacted(AccountRegistered.type))])
            .when(.register(try Samples.registration())).thenRejected(.alreadyRegistered)
    }

    @Test func `roles come and go`() throws {
        let registered = try EveryEvent.account()[0]
        given(AccountDecider.self, [registered]).when(.grant(.admin)).then([.roleGranted(RoleGranted(role: .admin))])
        let admin: [AccountEvent] = [registered, .roleGranted(RoleGranted(role: .admin))]
        given(AccountDecider.self, admin).when(.grant(.admin)).thenNothing()
        given(AccountDecider.self, admin).when(.revoke(.admin, .resigned))
            .then([.roleRevoked(RoleRevoked(role: .admin, reason: .resigned))])
        given(AccountDecider.self, admin).when(.revoke(.moderator, .other)).thenNothing()
        given(AccountDecider.self, admin).when(.revoke(.birder, .other)).thenRejected(.birderIsForEveryone)
        given(AccountDecider.self).when(.grant(.admin)).thenRejected(.notFound)
        let revoked = AccountState(replaying: admin + [.roleRevoked(RoleRevoked(role: .admin, reason: nil))])
        #expect(revoked.roles == [.birder])
    }

    @Test func `an address is verified once, and only the one that the account has`() throws {
        let registered = try EveryEvent.account()[0]
        let (address, other) = (try EmailAddress("Ann@example.org"), try EmailAddress("owl@example.org"))
        let outcome = given(AccountDecider.self, [registered]).when(.verify(address, held: address))
        outcome.then([.emailVerified(EmailVerified())])
        #expect(outcome.next.isVerified)
        let verified: [AccountEvent] = [registered, .emailVerified(EmailVerified())]
        given(AccountDecider.self, verified).when(.verify(address, held: address)).thenNothing()
        given(AccountDecider.self, [registered]).when(.verify(other, held: address)).thenRejected(.otherAddress)
        given(AccountDecider.self, [registered]).when(.verify(address, held: nil)).thenRejected(.otherAddress)
        given(AccountDecider.self).when(.verify(address, held: address)).thenRejected(.notFound)
        let redacted = AccountState(replaying: [registered, .redacted(EveryEvent.redacted(EmailVerified.type))])
        #expect(redacted.isVerified)
    }

    @Test func `another address is reserved, and is verified`() throws {
        let registered = try EveryEvent.account()[0]
        let (held, new) = (try EmailAddress("Ann@example.org"), try EmailAddress("Owl@example.org"))
        let outcome = given(AccountDecider.self, [registered]).when(.changeEmail(new, held: held))
        outcome.then([.emailChanged(EmailChanged())])
        outcome.keeps([ContentWrite(event: 0, field: .email, value: "Owl@example.org")])
        #expect(outcome.decision?.reservations == [Reservation(kind: .email, text: "owl@example.org")])
        #expect(outcome.next.isVerified)
        let changed: [AccountEvent] = [registered, .emailChanged(EmailChanged())]
        given(AccountDecider.self, changed).when(.changeEmail(new, held: new)).thenNothing()
        given(AccountDecider.self).when(.changeEmail(new, held: nil)).thenRejected(.notFound)
    }

    @Test func `another password is kept beside the log`() throws {
        let registered = try EveryEvent.account()[0]
        let outcome = given(AccountDecider.self, [registered]).when(.changePassword(record: "scrypt$1"))
        outcome.then([.passwordChanged(PasswordChanged())])
        outcome.keeps([ContentWrite(event: 0, field: .password, value: "scrypt$1")])
        given(AccountDecider.self).when(.changePassword(record: "scrypt$1")).thenRejected(.notFound)
    }

    @Test func `an account is suspended, and no longer`() throws {
        let registered = try EveryEvent.account()[0]
        let suspension = Suspension(reason: .spam, until: Samples.now)
        given(AccountDecider.self, [registered]).when(.suspend(suspension))
            .then([.suspended(AccountSuspended(reason: .spam, until: Samples.now))])
        let suspended: [AccountEvent] = [registered, .suspended(AccountSuspended(suspension))]
        given(AccountDecider.self, suspended).when(.suspend(suspension)).thenNothing()
        let longer = Suspension(reason: .spam, until: nil)
        given(AccountDecider.self, suspended).when(.suspend(longer)).then([.suspended(AccountSuspended(longer))])
        given(AccountDecider.self, suspended).when(.reinstate(.appealed))
            .then([.reinstated(AccountReinstated(reason: .appealed))])
        given(AccountDecider.self, [registered]).when(.reinstate(.appealed)).thenNothing()
        given(AccountDecider.self).when(.suspend(longer)).thenRejected(.notFound)
        given(AccountDecider.self).when(.reinstate(.other)).thenRejected(.notFound)
        given(AccountDecider.self).when(.removeDisplayName(.offensive)).thenRejected(.notFound)
        #expect(!suspension.holds(at: Samples.now) && suspension.holds(at: Samples.now.adding(seconds: -1)))
        #expect(longer.holds(at: Samples.now))
    }

    @Test func `a redacted restriction still restricts`() throws {
        let registered = try EveryEvent.account()[0]
        let state = AccountState(replaying: [
            registered, .redacted(EveryEvent.redacted(AccountNarrowed.type)),
            .redacted(EveryEvent.redacted(AccountSuspended.type)),
        ])
        #expect(state.settings?.attribution == .anonymous && state.settings?.publicGallery == false)
        #expect(state.suspension == Suspension(reason: nil, until: nil))
    }
}
