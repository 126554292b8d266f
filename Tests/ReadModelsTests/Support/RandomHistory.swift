import FoundationEssentials
import TestRandom

/// Makes valid histories of all kinds of events, with more corrections, withdrawals, moves of taxa and
/// changes of sensitivity than in real use. Each kind of stream has an extension, which makes its events.
struct RandomHistory {
    /// A sighting as far as the history knows it.
    struct Known {
        var geoprivacy: String
        var dataset: UUID?
        /// The taxon that it is identified as.
        var taxon: UUID?
        var isLive = true
    }

    var random: RandomSource
    var accounts: [UUID] = []
    var taxa: [UUID] = []
    var batches: [UUID: [UUID]] = [:]
    var datasets: [UUID] = []
    var sightings: [UUID] = []
    var known: [UUID: Known] = [:]
    /// The newest outing of each account.
    var outings: [UUID: UUID] = [:]
    var parents: [UUID: UUID] = [:]
    var categories: [UUID: Int] = [:]
    /// The taxon of the last identification.
    var lastTaxon: UUID?

    let hasReviews: Bool
    var photos: [UUID: UUID] = [:]

    /// - Parameter hasReviews: with photos, and with moderators' actions; otherwise accounts change their settings.
    init(seed: UInt64, hasReviews: Bool = false) {
        random = RandomSource(seed: seed)
        self.hasReviews = hasReviews
    }

    /// The events of a few commands.
    mutating func next() -> [GeneratedEvent] {
        (0..<random.element(of: [1, 1, 1, 4, 9])).flatMap { _ in command() }
    }

    private mutating func command() -> [GeneratedEvent] {
        let choice = random.int(in: 0...99)
        if accounts.isEmpty || choice < 3 { return [account()] }
        if choice == 3, accounts.count > 3 { return [erasure()] }
        if choice < (hasReviews ? 6 : 8) { return roles() }
        if taxa.isEmpty || choice < 13 { return [taxon()] }
        if choice < 18 { return move() }
        if choice < 23 { return [sensitivity()] }
        if choice < 26 { return [naming()] }
        if datasets.isEmpty || choice < 28 { return dataset() }
        if choice < 30 { return [batch()] }
        if sightings.isEmpty || choice < 46 { return [submission()] }
        if choice < 56 { return [importation(random.element(of: datasets))] }
        if hasReviews, random.isTrue(oneIn: 2) { return review() }
        return change(of: random.element(of: sightings))
    }
}
