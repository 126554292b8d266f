package import EventLog

/// The read models that the statements of an answer read. None of them may lack anything that the answer must show. A
/// plan is declared beside its queries.
package struct ReadPlan: Hashable, Sendable {
    /// The one whose position is that of the answer.
    package let main: ReadModel
    /// Those that are joined with it, or read besides.
    package let others: [ReadModel]

    package init(_ main: ReadModel, _ others: ReadModel...) {
        (self.main, self.others) = (main, others)
    }

    private init(_ main: ReadModel, _ others: [ReadModel]) {
        (self.main, self.others) = (main, others)
    }

    package var models: [ReadModel] { [main] + others }

    /// Whether the answer is for everyone, as of a moment. On any server, the other models must then have reached the
    /// position of the main one: they tell, for example, which names may no longer be shown.
    package var isPublic: Bool { main.name == ReadModel.sightingsPublic.name }

    /// The plan of an answer for which other queries are needed, too.
    package func with(_ plan: ReadPlan) -> ReadPlan {
        ReadPlan(main, others + plan.models.filter { !models.contains($0) })
    }
}
