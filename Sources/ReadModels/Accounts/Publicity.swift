import EventLog
package import Postgres

/// The parts of an account that may be public.
package enum Publicity: String, Sendable {
    /// The display name, with its records.
    case name
    /// The list of its photos.
    case gallery
}

extension Publicity {
    /// The condition that it is public of an account at a moment: the newest of its rows that are known then decides,
    /// because each row ends later than those before.
    /// - Parameter account: an expression for the account's id.
    package func isShown(of account: SQL, asOf moment: PublicMoment) -> SQL {
        """
        coalesce((select coalesce(k.until <= \(moment.known), false)
                    from \(identifier: ReadModel.accounts.schema).concealed k
                   where k.account = \(fragment: account) and k.what = \(rawValue) and k.since <= \(moment.shown)
                   order by k.since desc limit 1), true)
        """
    }
}
