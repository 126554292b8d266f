/// The use cases of the public data set: its records, photos and maps, and the taxa.
package struct RecordUseCases: Sendable {
    package let reads: PublicReads
    package let taxa: TaxonService

    init(_ ground: Ground, limits: DatabaseLimits) {
        reads = PublicReads(
            reads: ground.reads, catalogue: ground.catalogue, maps: FairTurns(limits.mapTurns),
            sequences: FairTurns(limits.sequenceTurns))
        taxa = TaxonService(store: ground.store, router: ground.reads.router, catalogue: ground.catalogue)
    }
}
