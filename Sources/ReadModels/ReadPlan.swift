package import Domain
package import EventLog

/// The read models that the statements of an answer read. None of them may lack anything that the answer must show. A
/// plan is declared beside its queries.
package struct ReadPlan: Hashable, Sendable {
    /// The one whose position is that of the answer.
    package let main: ReadModel
    /// Those that are joined with it, or read besides.
    package let others: [ReadModel]
    /// Those that only an answer as of a day needs besides.
    private let dated: [ReadModel]

    package init(_ main: ReadModel, _ others: ReadModel..., asOfDay dated: ReadModel...) {
        self.init(main, others, dated)
    }

    private init(_ main: ReadModel, _ others: [ReadModel], _ dated: [ReadModel]) {
        (self.main, self.others, self.dated) = (main, others, dated)
    }

    package var models: [ReadModel] { [main] + others }

    /// Whether the answer is for everyone, as of a moment. On any server, the other models must then have reached the
    /// position of the main one: they tell, for example, which names may no longer be shown.
    package var isPublic: Bool { main.name == ReadModel.sightingsPublic.name }

    /// The plan of an answer for which other queries are needed, too.
    package func with(_ plan: ReadPlan) -> ReadPlan {
        ReadPlan(
            main, others + plan.models.filter { !models.contains($0) },
            dated + plan.dated.filter { !dated.contains($0) })
    }

    /// The plan of an answer as of a day; without one, of the present.
    package func asOf(_ day: CivilDate?) -> ReadPlan {
        day == nil ? ReadPlan(main, others, []) : ReadPlan(main, others + dated.filter { !models.contains($0) }, [])
    }
}
