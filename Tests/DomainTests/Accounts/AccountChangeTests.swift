import Testing

@testable import Domain

struct AccountChangeTests {
    private let registered: [AccountEvent]
    private let lookups: AccountLookups

    init() throws {
        registered = [try EveryEvent.account()[0]]
        lookups = AccountLookups(
            names: AccountNames(name: "Ann Heron", displayName: "heron"),
            stateRegion: try RegionCode("pacific-northwest"))
    }

    private func change(_ edit: (inout ChangeAccount) throws -> Void) rethrows -> ChangeAccount {
        var command = ChangeAccount()
        try edit(&command)
        return command
    }

    @Test func `only what changes is recorded`() throws {
        let command = try change {
            $0.changes.licence = .cc0
            $0.changes.language = .set(try LanguageTag("fr"))
            $0.name = try PersonName("Ann Heron")
            $0.displayName = .set(try DisplayName("grey heron"))
        }
        let outcome = given(AccountDecider.self, registered).when(.change(command, lookups))
        let events = try #require(outcome.decision).events
        #expect(events.map(\.type) == [AccountChanged.type])
        #expect(
            String(decoding: events[0].payload, as: UTF8.self)
                == #"{"licence":"CC0-1.0","language":"fr","content":["displayName"]}"#)
        outcome.keeps([ContentWrite(event: 0, field: .displayName, value: "grey heron")])
        #expect(outcome.next.settings?.licence == .cc0 && outcome.next.settings?.language?.text == "fr")
        let again = try change { $0.displayName = .set(try DisplayName("heron")) }
        given(AccountDecider.self, registered).when(.change(again, lookups)).thenNothing()
    }

    @Test func `a cleared display name is the default one`() throws {
        let command = change { $0.displayName = .cleared }
        given(AccountDecider.self, registered).when(.change(command, lookups))
            .keeps([ContentWrite(event: 0, field: .displayName, value: nil)])
    }

    @Test func `a new state brings its region along, and another one is a fault`() throws {
        let (oregon, elsewhere) = (try StateCode("US-OR"), try RegionCode("hawaii"))
        let moved = given(AccountDecider.self, registered)
            .when(.change(change { $0.changes.state = .set(oregon) }, lookups))
        #expect(moved.next.settings?.state == oregon && moved.next.settings?.region == lookups.stateRegion)
        let fault = AccountRejection.invalid(Faults([Fault("/region", .otherRegion)]))
        for region in [Change.set(elsewhere), .cleared] {
            given(AccountDecider.self, registered).when(.change(change { $0.changes.region = region }, lookups))
                .thenRejected(fault)
        }
        let nowhere = AccountLookups(names: lookups.names, stateRegion: nil)
        let left = given(AccountDecider.self, registered).when(
            .change(
                change {
                    $0.changes.state = .cleared
                    $0.changes.region = .set(elsewhere)
                }, nowhere))
        #expect(left.next.settings?.state == nil && left.next.settings?.region == elsewhere)
    }

    @Test func `hiding restricts, showing is knowledge`() throws {
        let hidden = change {
            $0.changes.attribution = .anonymous
            $0.changes.publicGallery = false
        }
        let narrowed = AccountEvent.narrowed(AccountNarrowed(attribution: .anonymous, publicGallery: false))
        given(AccountDecider.self, registered).when(.change(hidden, lookups)).then([narrowed])
        given(AccountDecider.self, registered + [narrowed]).when(.change(hidden, lookups)).thenNothing()
        let shown = change { $0.changes.publicGallery = true }
        given(AccountDecider.self, registered + [narrowed]).when(.change(shown, lookups))
            .then([.widened(AccountWidened(attribution: nil, publicGallery: true))])
        #expect(try AccountEvent.description(of: AccountNarrowed.type).effect == .restriction)
        #expect(try AccountEvent.description(of: AccountWidened.type).effect == .knowledge)
    }

    @Test func `names that still hold are written again when the former are forgotten`() throws {
        let command = try change {
            $0.displayName = .set(try DisplayName("egret"))
            $0.forgetsFormer = true
        }
        let outcome = given(AccountDecider.self, registered).when(.change(command, lookups))
        outcome.then([.namesForgotten(AccountNamesForgotten(content: [.name, .displayName]))])
        outcome.keeps([
            ContentWrite(event: 0, field: .name, value: "Ann Heron"),
            ContentWrite(event: 0, field: .displayName, value: "egret"),
        ])
    }

    @Test func `former names are forgotten only where there are any`() throws {
        func after(_ history: [AccountEvent], _ command: ChangeAccount) throws -> [AccountEvent] {
            history + (try AccountDecider.decide(.change(command, lookups), AccountState(replaying: history)).events)
        }
        let forget = change { $0.forgetsFormer = true }
        given(AccountDecider.self, registered).when(.change(forget, lookups)).thenNothing()
        let renamed = try after(registered, try change { $0.displayName = .set(try DisplayName("egret")) })
        let forgotten = try after(renamed, forget)
        #expect(forgotten.count == renamed.count + 1)
        given(AccountDecider.self, forgotten).when(.change(forget, lookups)).thenNothing()
    }

    @Test func `a region beside the state, left by a redaction, bars only changes of the place`() throws {
        let elsewhere = AccountLookups(names: lookups.names, stateRegion: try RegionCode("caribbean"))
        let hide = change { $0.changes.attribution = .anonymous }
        #expect(given(AccountDecider.self, registered).when(.change(hide, elsewhere)).decision?.events.count == 1)
        let move = try change { $0.changes.region = .set(try RegionCode("alaska")) }
        given(AccountDecider.self, registered).when(.change(move, elsewhere))
            .thenRejected(.invalid(Faults([Fault("/region", .otherRegion)])))
    }

    @Test func `after a redacted change, sightings that name no geoprivacy are private`() throws {
        let state = AccountState(replaying: registered + [.redacted(EveryEvent.redacted(AccountChanged.type))])
        #expect(state.settings?.geoprivacy == .private)
    }

    @Test func `there is nothing to change without an account`() {
        given(AccountDecider.self).when(.change(ChangeAccount(), lookups)).thenRejected(.notFound)
    }
}
