/// The effect of an erasure on the sightings of the account.
package enum LeavingChoice: String, Vocabulary {
    /// They stay, without observer, visit, notes and photos.
    case keep
    /// They are withdrawn for privacy.
    case withdraw
}

/// The owner left. In the transaction of this event the account loses its identity, its address and all access; the
/// rest of what it typed and sent goes afterwards. The log rejects all later commands of the account.
package struct AccountErased: EventPayload {
    package static let type = "AccountErased"
    package var sightings: LeavingChoice

    static let shape = Shape<Self>(Self.init, .required("sightings", \.sightings))
}

extension AccountDecider {
    static func erase(
        _ sightings: LeavingChoice, _ state: AccountState
    ) throws(AccountRejection) -> Decision<AccountEvent> {
        guard state.exists else { throw .notFound }
        return state.isErased ? .nothing : Decision(events: [.erased(AccountErased(sightings: sightings))])
    }
}
