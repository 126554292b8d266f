/// What an account may do besides what anyone may.
package enum Role: String, Vocabulary {
    /// Submits sightings; every account has it.
    case birder
    /// Has no rights of its own so far.
    case moderator
    /// Reads what researchers may.
    case researcher
    /// Grants and revokes roles.
    case admin
}
