/// A group of states, provinces and territories that shares weekly targets.
package struct Region: Hashable, Sendable {
    /// The code: "pacific-northwest".
    package let code: RegionCode
    /// The English name.
    package let name: String
    /// The zone that alone defines when the region's week begins and which day a date in it means.
    package let zone: ZoneName
    /// The states of the region; each state is in one region.
    package let members: [StateCode]

    /// Puts a region together.
    package init(code: RegionCode, name: String, zone: ZoneName, members: [StateCode]) {
        self.code = code
        self.name = name
        self.zone = zone
        self.members = members
    }
}
