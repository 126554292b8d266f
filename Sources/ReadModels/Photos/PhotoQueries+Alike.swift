package import Domain
import EventLog
package import Postgres

/// The hashes by which a new photo finds those that it is alike to.
package struct SoughtPhoto: Sendable {
    /// A part of the photo.
    package struct Part: Hashable, Sendable {
        package let hash: LikenessHash
        /// Those of the first 16 bits, as a number with as many, in which a stored hash may differ.
        package let weak: Int

        package init(hash: LikenessHash, weak: Int) {
            (self.hash, self.weak) = (hash, weak)
        }

        /// The first bits of all hashes that are looked up: every combination of the weak ones.
        fileprivate var keys: [Int] {
            let key = Int(hash.text.prefix(4), radix: 16) ?? 0
            var keys: [Int] = []
            var flipped = weak
            while true {
                keys.append(key ^ flipped)
                if flipped == 0 { return keys }
                flipped = (flipped - 1) & weak
            }
        }
    }

    /// The account that uploads it.
    package let observer: AccountID
    package let parts: [Part]

    /// - Parameter parts: the frames of a simple picture may have one hash.
    package init(observer: AccountID, parts: [Part]) {
        (self.observer, self.parts) = (observer, Array(Set(parts)))
    }
}

extension PhotoQueries {
    /// The most photos of the observer, and of others, that are returned.
    package static let mostAlike = 50

    /// How many of the observer's own photos are compared: the newest, whatever their keys.
    package static let mostCompared = 1000

    /// How many stored hashes with the same first bits are compared: the newest of approved photos, and as many of the
    /// newest of others.
    package static let mostOfKey = 200

    /// The photos that a new one is alike to, at most one of a sighting: of each sighting, and among those beyond the
    /// limit, the approved ones first, then the newest. Returned are the newest first. Those that the observer has
    /// deleted are among them: one may send a copy of a photo that has earned something.
    ///
    /// The hash of a part and a stored one are compared if they have the same first bits, but for the weak ones: the
    /// index then finds one of some 2,000 stored hashes. That misses few copies. The observer's own photos are compared
    /// whatever their first bits are. Photos without stored hashes are not found: those of earlier versions, and those
    /// that show too little.
    /// - Parameter limit: the most bits in which the hashes may differ.
    /// - Throws: `PostgresError`.
    package func alike(_ photo: SoughtPhoto, limit: Int) async throws(PostgresError) -> [PhotoID] {
        let schema = ReadModel.photos.schema
        let hashes = photo.parts.map(\.hash.text)
        // An array for each part: a join of parts and keys might compare each with each.
        let keys = photo.parts.map { "{\($0.keys.map(String.init).joined(separator: ","))}" }
        let result = try await database.query(
            """
            with part as materialized (
                select ('x' || h.hash)::bit(256) as hash from unnest(\(hashes)) h (hash)
            ), alike as materialized (
                select l.photo
                  from \(identifier: schema).alike_by_key(
                       \(hashes), \(keys), \(Int64(limit)), \(Int64(Self.mostOfKey))) l (photo)
                union
                select l.photo
                  from (select p.id from \(identifier: schema).photos p
                         where p.observer = \(photo.observer.uuid) and p.likeness is not null
                         order by p.uploaded_at desc, p.id limit \(Self.mostCompared)) p
                  join \(identifier: schema).likenesses l on l.photo = p.id
                 where exists (select from part a where bit_count(l.hash # a.hash) <= \(Int64(limit)))
            ), each as (
                select distinct on (p.sighting)
                       p.id, p.observer = \(photo.observer.uuid) as own, p.status = 'approved' as approved,
                       p.uploaded_at
                  from alike a
                 cross join lateral (
                    select p.* from \(identifier: schema).photos p where p.id = a.photo offset 0) p
                 where p.status <> 'deleted' or p.observer = \(photo.observer.uuid)
                 order by p.sighting, p.status = 'approved' desc, p.uploaded_at desc, p.id
            )
            select e.id
              from (select e.*, row_number() over (
                               partition by e.own order by e.approved desc, e.uploaded_at desc, e.id) as number
                      from each e) e
             where e.number <= \(Int64(Self.mostAlike))
             order by e.uploaded_at desc, e.id
            """)
        var ids: [PhotoID] = []
        for row in result.rows { ids.append(try row.id("id")) }
        return ids
    }
}
