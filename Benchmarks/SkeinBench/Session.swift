/// One run of the program: the measures in order, each printed when it is done, and the whole table at the end.
struct Session {
    /// Figures that later measures are set against.
    struct Figures {
        /// Acknowledged submissions a second at 64 connections.
        var posted: Double?
        /// Events appended a second.
        var appended: Double?
    }

    let laboratory: Laboratory

    func run(_ measures: [Measure]) async throws {
        var figures = Figures()
        var readings: [Reading] = []
        show("load average at the start: \(LoadAverage.now)")
        for measure in measures {
            show("\n== \(measure.rawValue)")
            let new = try await run(measure, &figures)
            readings += new
            for reading in new { show(reading.line) }
        }
        show("\nload average at the end: \(LoadAverage.now)\n")
        show(Table(readings).text)
    }

    private func run(_ measure: Measure, _ figures: inout Figures) async throws -> [Reading] {
        switch measure {
        case .post: try await PostRate(laboratory).run(&figures)
        case .before: try await PostRateBefore(laboratory).run()
        case .cost: try await PostCost(laboratory).run()
        case .p99: try await PostLatency(laboratory).run(&figures)
        case .append: try await AppendRate(laboratory).run(&figures)
        case .batch: try await BatchRate(laboratory).run(&figures)
        case .folds: try await FoldCost(laboratory).run()
        case .rebuild: try await RebuildTime(laboratory).run()
        case .imports: try await ImportRate(laboratory).run(&figures)
        case .reads: try await ReadRate(laboratory).run()
        case .health: try await HealthRate(laboratory).run()
        case .memory: try await MemoryUse(laboratory).run()
        case .growth: try await Growth(laboratory).run()
        case .beside: try await AppendRateBeside(laboratory).run()
        case .recovery: try await RecoveryTime(laboratory).run()
        case .standbys: try await StandbyReads(laboratory).run()
        case .photos: try await PhotoRates(laboratory).run()
        case .photoGrowth: try await PhotoGrowth(laboratory).run()
        case .rotation: try await RotationTime(laboratory).run()
        case .targets: try await TargetRate(laboratory).run()
        case .logins: try await RateBesideLogins(laboratory).run()
        case .listeners: try await Listeners(laboratory).run()
        case .exports: try await ExportRate(laboratory).run()
        case .lists: try await ListGrowth(laboratory).run()
        case .ranges: try await RangeRates(laboratory).run()
        }
    }
}
