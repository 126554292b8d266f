/// A set of rights of an account.
package enum Role: String, Vocabulary {
    /// Submits sightings; every account has it.
    case birder
    /// Has no rights of its own so far.
    case moderator
    /// May read the routes for researchers.
    case researcher
    /// Grants and revokes roles.
    case admin
}
