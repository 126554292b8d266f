import Foundation

/// The durations and sizes of the measures.
struct Plan: Sendable {
    /// Alternating pairs of ours and the reference.
    var pairs = 5
    /// Seconds of each run of wrk and pgbench.
    var seconds = 8
    /// Events appended in a run.
    var appended = 60_000
    /// Events in the log that is rebuilt.
    var rebuilt: Int64 = 1_000_000
    /// Events in the small log that growth compares with.
    var small: Int64 = 100_000
    /// Events in the log whose verification and redactions are compared with the large one's.
    var middle: Int64 = 1_000_000
    /// Events in the large one.
    var large: Int64 = 10_000_000
    /// How long a transaction stays open beside the appends.
    var openTransaction = Duration.seconds(300)
    /// How long PostgreSQL is frozen.
    var freeze = Duration.seconds(30)
    /// How long PostgreSQL is gone after a kill.
    var outage = Duration.seconds(10)
    /// Findings of the birder whose pages are read.
    var findings = 100_000
    /// Rows of the import; nil: all.
    var importedRows: Int?
    /// Photos uploaded in a run.
    var photos = 60
    /// Photos in the small log that the pages of many photos are compared with.
    var fewPhotos = 10_000
    /// Photos in the large one.
    var manyPhotos = 1_000_000
    /// Records in the small log that the rotation of many is compared with.
    var fewRecords = 100_000
    /// Records in the large one.
    var manyRecords = 1_000_000
    /// Streams of events that are open at a time.
    var listeners = 1_000
    /// How long they are.
    var listening = Duration.seconds(60)
    /// Records that are exported.
    var exported = 200_000
    /// Records in the small log that lists of many are compared with.
    var fewListed = 10_000
    /// Records in the large one.
    var manyListed = 1_000_000
    /// Requests for pages of a list in a run, at either size.
    var pages = 300
    /// Records in the small log that ranges among many are compared with.
    var fewRanged = 10_000
    /// Records in the large one.
    var manyRanged = 1_000_000
    /// The `skein` program of another build.
    var other: String?
    /// The NEON file.
    var records = Self.testData + "/neon_landbirds/neon_landbirds.csv.gz"

    /// The photo that is enlarged to four megapixels.
    var photo = Self.testData + "/photos/robustness/flower.jpg"

    static let full = Plan()

    static var quick: Plan {
        var plan = Plan()
        (plan.pairs, plan.seconds, plan.appended) = (3, 4, 30_000)
        (plan.rebuilt, plan.small, plan.middle, plan.large) = (200_000, 50_000, 50_000, 500_000)
        (plan.openTransaction, plan.importedRows, plan.findings) = (.seconds(20), 40_000, 20_000)
        (plan.freeze, plan.outage, plan.photos) = (.seconds(12), .seconds(3), 24)
        (plan.fewPhotos, plan.manyPhotos) = (3_000, 30_000)
        (plan.fewRecords, plan.manyRecords) = (40_000, 200_000)
        (plan.listeners, plan.listening) = (200, .seconds(20))
        (plan.exported, plan.manyListed, plan.pages) = (40_000, 100_000, 100)
        plan.manyRanged = 40_000
        return plan
    }

    /// The folder of this package, as it was when this file was compiled.
    static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    private static let testData =
        ProcessInfo.processInfo.environment["SKEIN_TEST_DATA"] ?? package + "/../shared/data"
}
