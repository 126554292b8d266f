/// The settings of an account that are in the log. Names that a person typed are beside it.
package struct AccountSettings: Equatable, Sendable {
    /// The state, nil for elsewhere.
    package var state: StateCode?
    /// The region that targets are wanted for.
    package var region: RegionCode?
    /// The licence of sightings that name none.
    package var licence: Licence
    /// The geoprivacy of sightings that name none.
    package var geoprivacy: Geoprivacy
    /// The name under which public records appear.
    package var attribution: Attribution
    /// The language in which texts are wanted; nil for the service's own.
    package var language: LanguageTag?
    /// Whether the observer's photos are listed together for everyone.
    package var publicGallery = true
}

extension AccountSettings {
    init(_ registration: AccountRegistered) {
        self.init(
            state: registration.state, region: registration.region, licence: registration.licence,
            geoprivacy: registration.geoprivacy, attribution: registration.attribution)
    }

    /// - Parameter stateRegion: the region of the state after the change; nil without a state.
    /// - Returns: the settings after the change. A new state brings its region along, unless one is given.
    func applying(_ changes: AccountSettingsChanges, stateRegion: RegionCode?) -> AccountSettings {
        var new = self
        new.state = changes.state.applied(to: state)
        if new.state != state, let stateRegion { new.region = stateRegion }
        new.region = changes.region.applied(to: new.region)
        new.licence = changes.licence ?? licence
        new.geoprivacy = changes.geoprivacy ?? geoprivacy
        new.attribution = changes.attribution ?? attribution
        new.language = changes.language.applied(to: language)
        new.publicGallery = changes.publicGallery ?? publicGallery
        return new
    }
}

/// A change of some settings.
package struct AccountSettingsChanges: Equatable, Sendable {
    package var state: Change<StateCode> = .unset
    package var region: Change<RegionCode> = .unset
    package var licence: Licence?
    package var geoprivacy: Geoprivacy?
    package var attribution: Attribution?
    package var language: Change<LanguageTag> = .unset
    package var publicGallery: Bool?

    package init() {}

    /// Whether state or region is among them.
    var movesPlace: Bool { !state.isUnset || !region.isUnset }
}

/// The names of an account's owner, as they were typed.
package struct AccountNames: Equatable, Sendable {
    /// The full name; nil where it was erased.
    package var name: String?
    /// The public name; nil for the default one.
    package var displayName: String?

    package init(name: String?, displayName: String?) {
        (self.name, self.displayName) = (name, displayName)
    }
}
