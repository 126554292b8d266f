/// What an account may do besides what anyone may.
package enum Role: String, Vocabulary {
    /// Submits sightings; every account has it.
    case birder
    /// Decides about photos and sightings.
    case moderator
    /// Reads what researchers may.
    case researcher
    /// Grants and revokes roles.
    case admin
}
