package import Domain

/// The requirements that an answer must meet.
package struct Asked: Hashable, Sendable {
    /// The answer reflects at least this position.
    package var position: Int64
    /// The account whose own data is read; nil for public data. The answer also reflects the account's last
    /// acknowledged write in this process.
    package var account: AccountID?
    /// Knowledge recorded after this day (UTC) is not shown; nil for the present.
    package var day: CivilDate?

    package init(position: Int64 = 0, of account: AccountID? = nil, asOf day: CivilDate? = nil) {
        (self.position, self.account, self.day) = (position, account, day)
    }
}

/// The day as of which an answer is asked for is not over.
package struct DayNotOver: Error {}
