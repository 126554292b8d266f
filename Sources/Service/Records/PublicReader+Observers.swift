import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import Vault

extension PublicReader {
    /// The display name of the observer of a row `s`, as it was known; empty for the default name, NULL where none may
    /// be shown.
    static func observerName(asOf moment: PublicMoment) -> SQL {
        """
        (select coalesce((select c.value from vault.content c
                           where c.stream = a.id and c.field = \(ContentField.displayName.rawValue)
                             and c.position <= \(moment.known) and c.position >= a.names_from
                           order by c.position desc limit 1), '')
           from \(identifier: ReadModel.accounts.schema).accounts a
          where a.observer = s.observer and \(fragment: Publicity.name.isShown(of: "a.id", asOf: moment)))
        """
    }
}
