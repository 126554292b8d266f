import Domain
import EventLog
import FoundationEssentials
import Postgres

/// The records of a dataset whose rows are not in the file.
extension ImportStaging {
    /// Records of the dataset, and how many of them have no row in the file.
    struct Loss {
        var records = 0
        var vanished = 0
    }

    /// Counts the records that are not withdrawn, or that this import withdrew before it was stopped.
    func loss(of batch: BatchID) async throws -> Loss {
        let head = try await LogReader(connection).origin().position
        var loss = Loss()
        for window in LogWindow.all(after: 0, upTo: head) {
            let row = try await connection.query(
                """
                select count(*) as records,
                       count(*) filter (where not exists (
                           select from \(fragment: tableName) t where t.stream = r.stream)) as vanished
                  from (\(fragment: records(in: window))) r
                 cross join lateral (
                    select e.type, e.payload ->> 'batch' as batch from log.events e
                     where e.stream = r.stream and e.position >= r.position
                       and e.type = any (\(Self.statusTypes))
                     order by e.version desc limit 1) s
                 where s.type <> \(SightingWithdrawn.type) or s.batch = \(batch.description)
                """
            ).onlyRow()
            loss.records += Int(try row.decode("records", as: Int64.self))
            loss.vanished += Int(try row.decode("vanished", as: Int64.self))
        }
        return loss
    }

    /// The types of events that give a sighting its status.
    private static let statusTypes = SightingEvent.table.map(\.description).filter { $0.status != nil }.map(\.type)

    /// The dataset's streams whose first event lies in a window.
    private func records(in window: LogWindow) -> SQL {
        """
        select e.stream, e.position from log.events e
         where e.position > \(window.position) and e.position <= \(window.last) and e.version = 1
           and e.type = \(SightingImported.type) and e.payload ->> 'dataset' = \(dataset.description)
        """
    }

    /// Those of these streams that have no row in the file.
    func vanished(in window: LogWindow) async throws -> [UUID] {
        let result = try await connection.query(
            """
            select r.stream from (\(fragment: records(in: window))) r
             where not exists (select from \(fragment: tableName) t where t.stream = r.stream)
            """)
        return try result.rows.map { try $0.decode("stream") }
    }
}
