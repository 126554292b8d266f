/// The faults of a round, and what its scene needs for them.
struct RoundPlan: Sendable {
    /// Each is injected once at least.
    var faults: [Fault]
    /// Injected again and again while there is time.
    var repeated: [Fault] = Self.everyday
    /// The services reach PostgreSQL over TCP, each through a proxy.
    var hasProxies: Bool { faults.contains(.connectionsCut) || faults.contains(.connectionsSilenced) }
    /// Everything is on a small disk.
    var hasSmallDisk: Bool { faults.contains(.diskFull) }
    /// Positions in a partition; nil: as many as the migrations say.
    var partitionSize: Int64?

    private static let everyday: [Fault] = [.backendEnded, .serverStopped, .serviceKilled, .serviceFrozen]

    /// Any four consecutive rounds have all of these.
    private static let rota: [(faults: [Fault], partitionSize: Int64?)] = [
        ([.serverFrozen, .longSnapshot], nil),
        ([.connectionsCut, .modelsRebuilt], 1_000),
        ([.eventRedacted, .importUndone], nil),
        ([.connectionsSilenced, .longSnapshot, .modelsRebuilt], nil),
    ]

    /// - Parameters:
    ///   - seed: chooses from the rota.
    ///   - isShort: only the faults of every round.
    ///   - fillsDisk: also a full disk.
    static func of(_ seed: UInt64, isShort: Bool, fillsDisk: Bool) -> RoundPlan {
        if isShort { return RoundPlan(faults: everyday) }
        let turn = rota[Int(seed % UInt64(rota.count))]
        return RoundPlan(
            faults: everyday + turn.faults + (fillsDisk ? [.diskFull] : []), partitionSize: turn.partitionSize)
    }
}
