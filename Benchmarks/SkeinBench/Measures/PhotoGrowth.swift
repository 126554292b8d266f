import Foundation
import Postgres

/// Pages of the moderators' queue and of galleries with many photos, against the same with few. There are no files: the
/// log and the read models are what grows.
struct PhotoGrowth: Sendable {
    /// A log with a number of photos, and the accounts that read it.
    private struct Filled: Sendable {
        let log: ServedLog
        let moderator: APIClient.Birder
        let galleries: [String]
    }

    private static let queue = ["/v1/moderation/queue?subject=photo&limit=20"]

    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        let plan = laboratory.plan
        return try await withLog(of: plan.manyPhotos, "many_photos") { many in
            try await withLog(of: plan.fewPhotos, "few_photos") { few in
                let queue = try await reading("queue", many, few) {
                    (Self.queue, try await $0.log.service.client.signedIn($0.moderator))
                }
                return [queue, try await reading("gallery", many, few) { ($0.galleries, $0.log.service.client) }]
            }
        }
    }

    private func withLog<Value>(
        of photos: Int, _ database: String, _ body: (Filled) async throws -> Value
    ) async throws -> Value {
        try await ServedLog.with(laboratory, database: database) { log in
            let moderator = try await log.registered(as: "moderator")
            let taxa = try await fill(log, photos)
            let galleries = taxa.map { "/v1/taxa/\($0.uuidString.lowercased())/gallery?limit=20" }
            return try await body(Filled(log: log, moderator: moderator, galleries: galleries))
        }
    }

    /// - Returns: the taxa of the photos.
    private func fill(_ log: ServedLog, _ photos: Int) async throws -> [UUID] {
        var filled = try await FilledPhotos(laboratory, database: log.service.database)
        let took = try await AppendLoad.timed { try await filled.fill(upTo: photos) }
        show("filled to \(photos) photos in \(took.seconds.short) s")
        let followed = try await AppendLoad.timed { try await log.service.waitUntilFollowed() }
        show("followed in \(followed.seconds.short) s more")
        try await laboratory.withConnection(try laboratory.owner(log.service.database)) {
            _ = try await $0.query("vacuum analyze")
        }
        return filled.taxa
    }

    /// The 99th percentile of pages, all at a quarter of the rate that 32 connections reach with few photos.
    private func reading(
        _ name: String, _ many: Filled, _ few: Filled, pages: (Filled) async throws -> (paths: [String], APIClient)
    ) async throws -> Reading {
        let (paths, client) = try await pages(few)
        let reached = try await WrkLoad(laboratory).run(.get(paths[0]), client)
        show("\(name): \(reached.short) pages/s at \(laboratory.plan.fewPhotos) photos")
        // Once before, to fill caches.
        for filled in [many, few] { _ = try await p99(try await pages(filled), at: reached / 4) }
        let pairs = try await Pairs.taken(laboratory.plan.pairs, "\(name) p99 in ms at \((reached / 4).short)/s") {
            try await p99(try await pages(many), at: reached / 4)
        } reference: {
            try await p99(try await pages(few), at: reached / 4)
        }
        return Reading(
            "\(name) p99 at \(laboratory.plan.manyPhotos) photos against \(laboratory.plan.fewPhotos)", pairs,
            unit: "ms", aim: .atMost(1.5))
    }

    private func p99(_ pages: (paths: [String], client: APIClient), at rate: Double) async throws -> Double {
        try await OpenLoop(
            port: pages.client.port, token: pages.client.token, rate: rate, seconds: laboratory.plan.seconds,
            connections: 32, requests: .pages(pages.paths)
        ).run().quantile(0.99)
    }
}
