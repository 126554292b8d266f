import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import Postgres
import ReadModels
import TestSupport
import Testing

@testable import Service
@testable import Web

/// A moderator, and a birder with findings among many, in tables that nothing analyses but ``analyse()``.
struct CrowdedScene: Sendable {
    /// Where the birder's sighting is, and its copies seem to be.
    static let region = "pacific-northwest"

    let served: ServedRoutes
    let birder: Caller
    let moderator: Caller
    let finding: String
    let taxon: String
    let observer: String
    private(set) var photo = ""
    let position: String
    let today: String

    /// - Parameters:
    ///   - sighting: the birder's.
    ///   - count: of sightings.
    ///   - taxa: the number of taxa with the name of the sighting's; once they are read, the name means none of them.
    init(_ served: ServedRoutes, with sighting: String, among count: Int = 10_000, taxa: Int = 5_000) async throws {
        self.served = served
        try await Self.stopAutovacuum(served)
        birder = try await Caller.register(served)
        moderator = try await Caller.register(served, role: .moderator)
        observer = try #require(try await birder.send(.get, "/v1/me").text("observerId"))
        let sent = try await birder.submit(sighting)
        finding = try #require(try sent.text("id"))
        taxon = try #require(try sent.text("taxon.id"))
        position = try #require(sent.headers[.logPosition])
        today = try #require(try sent.text("recordedAt")?.prefix(10)).description
        let account = try #require(birder.account)
        let submitter: SQL = "case when n % 50 = 0 then \(account.uuid) else gen_random_uuid() end"
        let copy: SQL = "md5('sighting' || n)::uuid"
        try await served.appendCopies(
            of: finding, count,
            """
            jsonb_build_object('observer', \(fragment: submitter), 'latitude', n * \(40 / Double(count))::float8,
                               'longitude', -120 + n * 7919 % 1000 * 0.04)
            """, id: copy)
        try await addPhotos(by: submitter, of: sighting, count)
        try await served.appendCopies(
            of: account.description, count / 2, "jsonb_build_object('observer', gen_random_uuid())")
        try await served.appendCopies(of: taxon, taxa, "jsonb_build_object('parent', md5((n / 10)::text)::uuid)")
        try await addRowsBesideTheLog()
        try await served.followToHead()
        photo = try await publicPhoto().uuidString.lowercased()
    }

    private func publicPhoto() async throws -> UUID {
        try await served.database.withConnection(served.database.owner) { owner in
            try await owner.query(
                """
                select s.id from \(fragment: PublicPhotoQueries.table)
                 where upper_inf(s.valid) and upper_inf(s.shown) limit 1
                """
            ).onlyRow().decode("id")
        }
    }

    /// Photos of others' sightings; each other one is approved, like each other sighting.
    private func addPhotos(by observer: SQL, of noted: String, _ count: Int) async throws {
        let photographer = try await Caller.register(served)
        let sighting = try #require(try await photographer.submit(noted).text("id"))
        let photo = try await SampleRequests.addPhoto(to: sighting, by: photographer)
        let copy: SQL = "md5('sighting' || 2 * n - 1)::uuid"
        try await served.appendCopies(
            of: try #require(try photo.text("id"), "\(photo.status) \(photo.body)"), count / 2,
            """
            jsonb_build_object('observer', \(fragment: observer), 'sighting', \(fragment: copy),
                               'original', repeat(md5('photo' || n), 2))
            """)
        for (kind, type) in [("photo", "PhotoApproved"), ("sighting", "SightingApproved")] {
            try await served.appendToEveryOther(kind, type, #"{"moderator":"\#(UUID())"}"#)
        }
    }

    private func addRowsBesideTheLog() async throws {
        try await served.database.withConnection(served.database.owner) { owner in
            try await owner.executeScript(
                """
                insert into vault.sessions (id, account, started_at, expires_at)
                select gen_random_uuid(), gen_random_uuid(), now(), now() + interval '1 day'
                  from generate_series(1, 5000);
                insert into vault.refresh_tokens (digest, session, issued_at, expires_at)
                select sha256(uuid_send(id)), id, started_at, expires_at from vault.sessions;
                insert into vault.reservations (kind, value, holder, position)
                select 'email', digest, session, 1 from vault.refresh_tokens;
                insert into vault.inboxes (account) select account from vault.sessions;
                insert into vault.inbox (account, number, review) select account, 1, 1 from vault.sessions;
                insert into vault.inbox_captures (account, target, region, monday, finding, captured)
                select account, id, 'alaska', '2026-01-05', id, false from vault.sessions;
                insert into vault.notifications_read (account, up_to) select account, 1 from vault.sessions;
                -- Left by requests that failed, so that the next one deletes them, however fast the test is.
                insert into vault.export_turns (account, export, since)
                select account, id, now() - interval '1 day' from vault.sessions;
                insert into vault.export_files (sha256, bytes)
                select md5(id::text) || md5(account::text), 1 from vault.sessions;
                insert into \(ReadModel.exports.schema).exports
                       (id, format, filter, output_version, status, requested_at, version, position)
                select id, 'csv', '{}', 1, 'waiting', started_at, 1, 1 from vault.sessions;
                insert into \(ReadModel.exports.schema).requests (account, export, requested_at, position)
                select account, id, started_at, 1 from vault.sessions;
                insert into \(ReadModel.exports.schema).revisions
                       (export, revision, known, shown, guarded, settled, rows, bytes, sha256, left_out, generalised,
                        replaced_characters, made_at, restricted, position)
                select id, 1, 1, 1, 1, 1, 0, 0, repeat('0', 64),
                       '{"noLicence": 0, "notRepublished": 0, "unidentified": 0}', 0, 0, started_at, false, 1
                  from vault.sessions;
                """)
        }
    }

    /// Keeps autovacuum from analysing tables at a time of its own.
    private static func stopAutovacuum(_ served: ServedRoutes) async throws {
        try await served.database.withConnection(served.database.owner) { owner in
            try await owner.executeScript(
                """
                do $$ declare name regclass; begin
                    for name in select s.relid from pg_stat_user_tables s
                                  join pg_class c on c.oid = s.relid and c.relkind = 'r' loop
                        execute format('alter table %s set (autovacuum_enabled = off)', name);
                    end loop;
                end $$
                """)
        }
    }

    /// Adds copies of the birder's sighting to the tables of the read models that grow with sightings: some of the
    /// birder, in many places. Their events are not in the log; folding these would take long.
    func addRows(_ count: Int) async throws {
        let account = try #require(birder.account)
        let (copy, status) = ("md5('copy' || n)::uuid", "case when n % 2 = 0 then 'approved' else r.status end")
        let submitter = "case when n % 50 = 0 then '\(account.uuid)'::uuid else gen_random_uuid() end"
        let place = ["latitude": "n * 40.0 / \(count)", "longitude": "-120 + n * 7919 % 1000 * 0.04"]
        let exact = place.merging(["id": copy, "status": status, "observer": submitter]) { $1 }
        let open = place.merging(["id": copy, "status": status, "observer": "gen_random_uuid()"]) { $1 }
        let review = [
            "id": copy, "sighting": copy, "observer": submitter,
            "waiting_since": "r.waiting_since + n * interval '1 second'",
        ]
        for (model, table, changes) in [
            (ReadModel.sightingsExact, "sightings", exact), (.sightingsPublic, "records", open),
            (.moderation, "items", review),
        ] {
            try await addRows(count, to: table, of: model, changes)
        }
    }

    private func addRows(
        _ count: Int, to name: String, of model: ReadModel, _ changes: [String: String]
    ) async throws {
        try await served.database.withConnection(served.database.owner) { owner in
            let columns: [String] = try await owner.query(
                """
                select column_name::text as name from information_schema.columns
                 where table_schema = \(model.schema) and table_name = \(name) and is_generated = 'NEVER'
                 order by ordinal_position
                """
            ).rows.map { try $0.decode("name") }
            let table = "\(model.schema).\(name)"
            let values = columns.map { changes[$0] ?? "r.\($0)" }.joined(separator: ", ")
            try await owner.executeScript(
                """
                insert into \(table) (\(columns.joined(separator: ", ")))
                select \(values) from \(table) r, generate_series(1, \(count)) n where r.id = '\(finding)'
                """)
        }
    }

    /// As autovacuum does, which passes over tables without rows.
    func analyse() async throws {
        try await served.database.withConnection(served.database.owner) { owner in
            try await owner.executeScript(
                """
                do $$ declare name regclass; begin
                    for name in select relid from pg_stat_user_tables where pg_relation_size(relid) > 0 loop
                        execute format('analyze %s', name);
                    end loop;
                end $$
                """)
        }
    }
}
