package import Domain
package import EventLog
import FoundationEssentials
import Postgres
package import ReadModels

/// Reads public sightings on any server that has reached the position that the answer must reflect, as of a moment of
/// that server.
package struct PublicReads: Sendable {
    /// The requirements of one answer.
    package struct Wish: Sendable {
        /// At least this position, which the primary's model has reached.
        package var position: Int64
        /// A day (UTC) that is over; knowledge recorded later is not in the answer.
        package var day: CivilDate?
        /// The last position of that day.
        package var known: Int64?

        package init(position: Int64, day: CivilDate? = nil, known: Int64? = nil) {
            (self.position, self.day, self.known) = (position, day, known)
        }
    }

    /// Every record of a map, which may be read once. The turn ends with it.
    package struct Sequence: Sendable {
        let reader: PublicReader
        let turn: FairTurns.Turn
        package let moment: PublicMoment

        /// Reads the records in batches.
        /// - Throws: ``ReadingTimeout``; what the database or `body` throws.
        package func eachPoint(
            of taxon: TaxonID, _ view: MapView, _ body: ([MapAnswer.Point]) async throws -> Void
        ) async throws {
            defer { turn.end() }
            try await reader.eachPoint(of: taxon, view, asOf: moment, body)
        }
    }

    let router: ReadRouter
    let months: MonthEnds
    let reader: PublicReader
    let maps: FairTurns
    let sequences: FairTurns

    /// - Parameters:
    ///   - others: further read models that are read, which must have reached the position too.
    ///   - body: may be called twice.
    /// - Returns: also the moment that the answer reflects.
    package func read<Value: Sendable>(
        _ wish: Wish, with others: [ReadModel] = [],
        _ body: @escaping @Sendable (PublicReader, PublicMoment) async throws -> Value
    ) async throws -> (Value, PublicMoment) {
        let ends = try await ends(wish)
        // Below the end of the last month, a guarded record would appear when it is replayed, which reveals its moment.
        let position = max(wish.position, wish.known ?? 0, ends.settled)
        return try await router.read(.sightingsPublic, with: others, seeing: position) { [reader] source in
            let moment = Self.moment(wish, ends, at: source.position)
            return (try await body(reader.over(source.pool), moment), moment)
        }
    }

    /// The map of a taxon and all below it, when the client's turn comes.
    /// - Throws: ``FairTurns/Rejection``; ``MapTimeout``; what the database throws.
    package func map(
        of taxon: TaxonID, _ view: MapView, _ wish: Wish
    ) async throws -> (MapAnswer, PublicMoment) {
        do {
            return try await maps.take(by: TurnClient.address) {
                try await read(wish) { try await $0.map(of: taxon, view, asOf: $1) }
            }
        } catch let error as PostgresError where error.sqlState == .queryCanceled {
            throw MapTimeout()
        }
    }

    /// All records of a map, when the client's turn comes; they are sent while they are read, and so come from the
    /// primary: they cannot change to another server.
    /// - Throws: ``FairTurns/Rejection``; what the database throws.
    package func sequence(_ wish: Wish) async throws -> Sequence {
        let turn = try await sequences.begin(by: TurnClient.address)
        let source = router.primary(.sightingsPublic)
        let moment = Self.moment(wish, try await ends(wish), at: source.position)
        return Sequence(reader: reader, turn: turn, moment: moment)
    }

    private func ends(_ wish: Wish) async throws -> MonthEnds.Ends {
        try await months.ends(asOf: wish.known ?? 0 > 0 ? wish.day : nil)
    }

    private static func moment(_ wish: Wish, _ ends: MonthEnds.Ends, at position: Int64) -> PublicMoment {
        PublicMoment(known: wish.known ?? position, shown: position, guarded: ends.guarded, settled: ends.settled)
    }
}
