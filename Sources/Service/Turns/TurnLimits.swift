/// The sizes and times of a queue of turns.
struct TurnLimits: Sendable {
    /// Tasks that run at once.
    let atOnce: Int
    /// Tasks that may wait for longer than ``grace``.
    let waiting: Int
    /// The same for one client.
    var waitingOfClient = 2
    /// Tasks of one client that run at once.
    var runningOfClient = Int.max
    /// How long a task may wait if the places of its client, or all places, are taken.
    var grace: Duration = .seconds(2)
    /// How long any task waits; nil for no limit.
    var longest: Duration?

    /// Tasks of one client that may wait for up to ``grace``: a burst, such as the photos of one sighting.
    var burstOfClient: Int { waitingOfClient * 8 }
    /// Tasks that may wait for up to ``grace``.
    var burst: Int { waiting * 2 }
}
