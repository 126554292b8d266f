/// The use cases of the public dataset: its records, photos and maps, and the taxa.
package struct RecordUseCases: Sendable {
    package let reads: PublicReads
    package let taxa: TaxonService

    /// - Parameter publicURL: the service's public address, without a slash at its end; nil if it is not known.
    init(_ ground: Ground, limits: DatabaseLimits, publicURL: String? = nil) {
        reads = PublicReads(
            reads: ground.reads, signer: ground.signer, publicURL: publicURL, catalogue: ground.catalogue,
            maps: FairTurns(limits.mapTurns), sequences: FairTurns(limits.sequenceTurns),
            streams: FairTurns(limits.streamTurns))
        taxa = TaxonService(store: ground.store, router: ground.reads.router, catalogue: ground.catalogue)
    }
}
