/// An admin's reason for revoking a role.
package enum RevocationReason: String, Vocabulary {
    /// The account's owner asked for it.
    case resigned
    case inactive
    case misconduct
    case other
}

/// An admin's reason for suspending an account.
package enum SuspensionReason: String, Vocabulary {
    case spam
    case abuse
    case falseRecords = "false-records"
    case impersonation
    case other
}

/// An admin's reason for lifting a suspension.
package enum ReinstatementReason: String, Vocabulary {
    case appealed
    case mistake
    case other
}

/// An admin's reason for erasing a public name.
package enum DisplayNameReason: String, Vocabulary {
    case offensive
    case impersonation
    case personalData = "personal-data"
    case other
}
