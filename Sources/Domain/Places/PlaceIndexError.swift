/// What makes areas, regions and islands unfit to find places with.
package enum PlaceIndexError: Error, Hashable, Sendable {
    /// A code has not the form of its level.
    case malformedCode(String)
    /// Two areas of a level have the same code.
    case repeatedArea(String)
    /// Two regions have the same code.
    case repeatedRegion(RegionCode)
    /// A state is in two regions.
    case stateInTwoRegions(StateCode)
    /// A region has a member, or an island a state, that no area of level state has.
    case unknownState(String, StateCode)
    /// An area of level region that no region describes.
    case unknownRegion(String)
}
