import Foundation
import Logging
import Postgres

/// Uploads, downloads, the moderators' queue and a gallery, and the memory of the service while large files arrive.
struct PhotoRates: Sendable {
    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        let files = try await PhotoFiles(laboratory)
        return try await ServedLog.with(laboratory, database: "photos", logLevel: .info) { log in
            let uploads = PhotoUploads(log: log, files: files)
            var readings = [try await memory(uploads), try await uploadRate(uploads)]
            let moderator = try await log.registered(as: "moderator")
            try await approve(
                try await uploads.run(laboratory.plan.photos, at: 4), try await log.service.client.signedIn(moderator))
            try await log.service.waitUntilFollowed()
            try await laboratory.withConnection(try laboratory.owner(log.service.database)) {
                _ = try await $0.query("vacuum analyze")
            }
            let (gallery, photo) = try await gallery(log)
            let rate = RouteRate(log) { try await log.service.client.signedIn(moderator) }
            readings.append(try await rate.reading("GET gallery?limit=20", gallery, aim: 0.3))
            readings.append(
                try await rate.reading("GET queue?limit=20", "/v1/moderation/queue?subject=photo&limit=20", aim: 0.3))
            readings.append(try await downloads(log, photo))
            return readings
        }
    }

    /// Photos of four megapixels to 201, against vipsthumbnail making the three sizes of as many.
    private func uploadRate(_ uploads: PhotoUploads) async throws -> Reading {
        let count = laboratory.plan.photos
        let vipsthumbnail = try VipsThumbnail(folder: laboratory.folder)
        let pairs = try await Pairs.taken(laboratory.plan.pairs, "uploads") {
            let took = try await ContinuousClock().measure { try await uploads.run(count, at: 4) }
            return Double(count) / took.seconds
        } reference: {
            let paths = try uploads.files.written(count)
            defer { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
            return Double(count) / (try await vipsthumbnail.render(paths).seconds)
        }
        return Reading("uploads of 4-megapixel photos", pairs, unit: "/s", aim: .atLeast(0.8))
    }

    /// What 20 uploads of 20 MB at the same time add to the memory of the service.
    private func memory(_ uploads: PhotoUploads) async throws -> Reading {
        let process = uploads.log.service.process.processIdentifier
        // The first uploads fill pools and caches.
        try await uploads.run(4, at: 2)
        let idle = ResidentMemory.mebibytes(of: process) ?? 0
        let peak = try await ResidentMemory.peak(of: process) {
            try await uploads.run(40, at: 20, size: 20_000_000)
        }
        show("  memory: \(idle.short) MB idle, \(peak.short) MB at the peak")
        return Reading("memory that 20 uploads of 20 MB add", [peak - idle], unit: "MB", aim: .atMost(100))
    }

    private func approve(_ photos: [PhotoUploads.Photo], _ moderator: APIClient) async throws {
        let items = photos.map { photo in
            """
            {"key":"\(UUID().uuidString.lowercased())","subject":"photo","id":"\(photo.id.uuidString.lowercased())",\
            "version":\(photo.version),"decision":"approve"}
            """
        }
        let body = #"{"items":[\#(items.joined(separator: ","))]}"#
        let answer = try await moderator.post("/v1/moderation/decisions", Array(body.utf8))
        try answer.expect(200, "approving")
    }

    /// - Returns: the path of the gallery with most photos, and of one of them.
    private func gallery(_ log: ServedLog) async throws -> (gallery: String, photo: String) {
        struct Gallery: Decodable {
            struct Photo: Decodable { let id: UUID }
            let items: [Photo]
        }
        let path = "/v1/taxa/\(try await log.taxon().uuidString.lowercased())/gallery?limit=20"
        guard let photo = try await log.service.client.get(path).decoded(Gallery.self).items.first else {
            throw ProgramError(description: "the gallery is empty")
        }
        return (path, "/v1/photos/\(photo.id.uuidString.lowercased())/thumb")
    }

    /// A thumb, against nginx with the same file.
    private func downloads(_ log: ServedLog, _ path: String) async throws -> Reading {
        let client = log.service.client
        let answer = try await client.get(path)
        try answer.expect(200, path)
        let files = laboratory.folder + "/files"
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        try Data(answer.body).write(to: URL(filePath: files + "/thumb.jpg"))
        let wrk = try WrkLoad(laboratory)
        let pairs = try await Nginx.serving(files, laboratory) { nginx in
            try await Pairs.taken(laboratory.plan.pairs, "thumbs of \(answer.body.count) bytes") {
                try await wrk.run(.get(path), client)
            } reference: {
                try await wrk.run(.get("/thumb.jpg"), nginx)
            }
        }
        return Reading("thumb downloads, 32 connections", pairs, unit: "/s", aim: .atLeast(0.5))
    }
}
