/// Settings or names of the account were changed. Only what changed is here; names are beside the log. Whether name and
/// gallery are public has events of its own.
package struct AccountChanged: EventPayload {
    package static let type = "AccountChanged"
    package var state: Change<StateCode> = .unset
    package var region: Change<RegionCode> = .unset
    package var licence: Licence?
    package var geoprivacy: Geoprivacy?
    package var language: Change<LanguageTag> = .unset
    /// The fields that were written beside the log.
    package var content: [ContentField] = []

    static let shape = Shape<Self>(
        Self.init,
        .change("state", \.state),
        .change("region", \.region),
        .optional("licence", \.licence),
        .optional("geoprivacy", \.geoprivacy),
        .change("language", \.language),
        .list("content", \.content))
}

extension AccountChanged {
    init(from old: AccountSettings, to new: AccountSettings, content: [ContentField]) {
        state = Change(from: old.state, to: new.state)
        region = Change(from: old.region, to: new.region)
        licence = old.licence == new.licence ? nil : new.licence
        geoprivacy = old.geoprivacy == new.geoprivacy ? nil : new.geoprivacy
        language = Change(from: old.language, to: new.language)
        self.content = content
    }

    /// Whether nothing changed.
    var isEmpty: Bool {
        state.isUnset && region.isUnset && licence == nil && geoprivacy == nil && language.isUnset && content.isEmpty
    }
}

extension AccountSettings {
    mutating func apply(_ payload: AccountChanged) {
        state = payload.state.applied(to: state)
        region = payload.region.applied(to: region)
        licence = payload.licence ?? licence
        geoprivacy = payload.geoprivacy ?? geoprivacy
        language = payload.language.applied(to: language)
    }

    mutating func apply(_ payload: some PublicityPayload) {
        attribution = payload.attribution ?? attribution
        publicGallery = payload.publicGallery ?? publicGallery
    }
}

/// Less may be shown of who the observer is.
package struct AccountNarrowed: PublicityPayload {
    package static let type = "AccountNarrowed"
    /// `anonymous`, if the name may no longer be shown.
    package var attribution: Attribution?
    /// `false`, if the photos may no longer be listed together.
    package var publicGallery: Bool?

    static let shape = Shape<Self>(
        Self.init,
        .optional("attribution", \.attribution),
        .optional("publicGallery", \.publicGallery))
}

/// More may be shown of who the observer is.
package struct AccountWidened: PublicityPayload {
    package static let type = "AccountWidened"
    /// `displayName`, if the name may be shown from now on.
    package var attribution: Attribution?
    /// `true`, if the photos may be listed together from now on.
    package var publicGallery: Bool?

    static let shape = Shape<Self>(
        Self.init,
        .optional("attribution", \.attribution),
        .optional("publicGallery", \.publicGallery))
}

/// The payload of an event about what is public of an account.
protocol PublicityPayload: EventPayload {
    var attribution: Attribution? { get }
    var publicGallery: Bool? { get }
    init(attribution: Attribution?, publicGallery: Bool?)
}

extension PublicityPayload {
    /// Nil if neither changes to the value.
    init?(from old: AccountSettings, to new: AccountSettings, _ attribution: Attribution, _ publicGallery: Bool) {
        let isNamed = new.attribution != old.attribution && new.attribution == attribution
        let isListed = new.publicGallery != old.publicGallery && new.publicGallery == publicGallery
        guard isNamed || isListed else { return nil }
        self.init(
            attribution: isNamed ? attribution : nil, publicGallery: isListed ? publicGallery : nil)
    }
}

/// The names from before this event were erased. Those that still hold were written again, beside the log.
package struct AccountNamesForgotten: EventPayload {
    package static let type = "AccountNamesForgotten"
    /// The fields that were written beside the log.
    package var content: [ContentField]

    static let shape = Shape<Self>(Self.init, .list("content", \.content))
}
