package import Domain
import Exchange
import Postgres
package import ReadModels

/// Errata were asked for as of a day before that of the export.
package struct ErrataTooEarly: Error {}

/// Errata list records; a table of ranges has none.
package struct ErrataOfRanges: Error {}

/// The differences between an export and the same filter as of a later day, under the restrictions of now.
package struct ExportErrata: Sendable {
    /// The time limit of a page, which then ends with the differences found so far.
    private static let time: Duration = .seconds(5)

    let reads: Reads
    let exports: ExportReader
    let turns: FairTurns
    let signer: CommandSigner
    let site: ExportSite

    /// A page of differences, when the client's turn comes, and the day as of which they are.
    /// - Parameters:
    ///   - day: nil for the last day that is over. If that is before the export, there are no errata yet.
    ///   - position: that the response must reflect.
    /// - Throws: ``ErrataTooEarly``, ``ErrataOfRanges``, ``ErrataOfSurvey``, ``CommandError/notFound``,
    ///   ``MapTimeout``; as ``Reads/read(_:_:_:)``.
    package func errata(
        of id: ExportID, asOf day: CivilDate?, _ page: ErrataReader.Page, position: Int64 = 0
    ) async throws -> (shown: Shown<Slice<Erratum, SightingID>>, day: CivilDate) {
        let query = try await exports.export(id, Asked(position: position)).value.export.query
        guard query.ranges == nil else { throw ErrataOfRanges() }
        if query.format == .survey { throw ErrataOfSurvey() }
        let isChosen = day != nil
        let day = day ?? reads.log.lastDay
        if let first = query.day, day < first { throw ErrataTooEarly() }
        let (known, guarded) = try await reads.knowledge(of: query)
        let (signer, address) = (signer, site.address)
        let asked = Asked(position: max(position, known), asOf: day)
        let shown = try await MapTimeout.caught {
            try await reads.inTurn(turns).read(BulkReader.plan, asked) { source -> Slice<Erratum, SightingID> in
                let second = source.moment
                guard second.known >= known else {
                    if isChosen { throw ErrataTooEarly() }
                    return Slice<Erratum, SightingID>([], next: nil)
                }
                let first = PublicMoment(
                    known: known, shown: second.shown, guarded: guarded, settled: second.settled, of: query.day ?? day)
                let question = ErrataReader.Question(
                    BulkQuery(filter: query.filter), as: query.format,
                    baseURL: address, from: first, to: second)
                return try await ErrataReader(source.pool, signer: signer).errata(question, page, within: Self.time)
            }
        }
        return (shown, day)
    }
}
