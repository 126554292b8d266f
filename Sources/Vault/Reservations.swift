import Crypto
package import Domain
package import FoundationEssentials
package import Postgres

/// Looks up the holder of a unique value. Reservations are made by the append, with the event that needs them. With one
/// of an e-mail address, the former address of its holder becomes free, in the same transaction.
package struct Reservations: Sendable {
    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// The stream that holds it; nil: it is free.
    package func holder(of reservation: Reservation) async throws(PostgresError) -> UUID? {
        try await holders(of: [reservation])[reservation]
    }

    /// The account that holds an address, in whatever spelling it was reserved; nil: it is free.
    package func holder(of address: EmailAddress) async throws(PostgresError) -> UUID? {
        let spellings = Reservation.spellings(of: address)
        let holders = try await holders(of: spellings)
        return spellings.lazy.compactMap { holders[$0] }.first
    }

    /// The streams that hold some of many, asked at once; what is free is left out.
    package func holders(of reservations: [Reservation]) async throws(PostgresError) -> [Reservation: UUID] {
        guard !reservations.isEmpty else { return [:] }
        let result = try await database.query(
            """
            SELECT asked.number, held.holder
              FROM unnest(\(reservations.map(\.kind.rawValue)), \(reservations.map(\.digest)))
                   WITH ORDINALITY AS asked (kind, value, number)
             CROSS JOIN LATERAL (
                SELECT r.holder FROM vault.reservations r WHERE r.kind = asked.kind AND r.value = asked.value OFFSET 0
             ) AS held
            """)
        var holders: [Reservation: UUID] = [:]
        for row in result.rows {
            let number: Int64 = try row.decode("number")
            holders[reservations[Int(number) - 1]] = try row.decode("holder")
        }
        return holders
    }
}

extension Reservation {
    /// SHA-256 of the text in UTF-8, 32 bytes: stored in the vault instead of the text.
    package var digest: [UInt8] {
        Array(SHA256.hash(data: Array(text.utf8)))
    }

    /// An e-mail address; addresses that differ only in case, or in how the domain is written, are one.
    package static func email(_ address: EmailAddress) -> Reservation {
        Reservation(kind: .email, text: address.comparable)
    }

    /// Those under which an address may be held; the first that is held counts.
    package static func spellings(of address: EmailAddress) -> [Reservation] {
        address.spellings.map { Reservation(kind: .email, text: $0) }
    }
}
