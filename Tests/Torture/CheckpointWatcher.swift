import EventLog
import Postgres
import ReadModels
import TestSupport

/// Reads the read models' checkpoints, their rows and the head in one snapshot.
struct CheckpointWatcher: Sendable {
    let pool: PostgresPool
    let recorder: Recorder

    /// Repeats until cancelled; skips while the database is unreachable. Any other failure is a violation.
    func run() async {
        while !Task.isCancelled {
            do {
                recorder.saw(try await look())
            } catch let error as PostgresError where error.isOutage {
                // The next look finds the database back.
            } catch {
                if Task.isCancelled { return }
                recorder.complain("the checkpoints could not be read: \(String(reflecting: error))")
            }
            try? await Task.sleep(for: .milliseconds(150))
        }
    }

    private func look() async throws -> [History.CheckpointSighting] {
        let exact = ReadModel.sightingsExact
        let accounts = ReadModel.accounts
        let result = try await pool.query(
            """
            select c.name, c.position,
                   case c.name
                   when \(exact.name) then
                       (select coalesce(max(greatest(lower(valid), upper(valid))), 0)
                          from \(identifier: exact.schema).sightings)
                   when \(accounts.name) then
                       (select coalesce(max(position), 0) from \(identifier: accounts.schema).accounts)
                   end as applied,
                   (select coalesce(max(position), 0) from log.events) as head
              from model.checkpoints c
            """)
        return try result.rows.map { row in
            History.CheckpointSighting(
                model: try row.decode("name"), position: try row.decode("position"),
                applied: try row.decode("applied"), head: try row.decode("head"))
        }
    }
}
