import Foundation

/// Uploads of photos, up to ten for a sighting.
struct PhotoUploads: Sendable {
    /// An uploaded photo.
    struct Photo: Decodable, Sendable {
        let id: UUID
        let version: Int
    }

    let log: ServedLog
    let files: PhotoFiles

    /// Uploads photos of four megapixels, several at a time.
    @discardableResult
    func run(_ count: Int, at once: Int, size: Int = 0) async throws -> [Photo] {
        let client = try await log.signedIn()
        let sightings = try await sightings(count, client)
        return try await withThrowingTaskGroup(of: [Photo].self) { group in
            for lane in 0..<once {
                group.addTask {
                    var photos: [Photo] = []
                    for number in stride(from: lane, to: count, by: once) {
                        photos.append(try await upload(to: sightings[number / Self.each], size, client))
                    }
                    return photos
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// The photos that a sighting may have.
    private static let each = 10

    private func sightings(_ photos: Int, _ client: APIClient) async throws -> [UUID] {
        struct Sighting: Decodable { let id: UUID }
        var ids: [UUID] = []
        for number in 0..<(photos + Self.each - 1) / Self.each {
            // One name: all are in one taxon's gallery.
            let answer = try await client.post("/v1/sightings", Array(Submissions.body(number * 8).utf8))
            try answer.expect(201, "submitting")
            ids.append(try answer.decoded(Sighting.self).id)
        }
        return ids
    }

    private func upload(to sighting: UUID, _ size: Int, _ client: APIClient) async throws -> Photo {
        let path = "/v1/me/findings/\(sighting.uuidString.lowercased())/photos"
        while true {
            let answer = try await client.post(path, files.next(size: size), type: "image/jpeg")
            // The queue of renderings is full.
            if answer.status == 503 {
                try await Task.sleep(for: .milliseconds(100))
                continue
            }
            try answer.expect(201, "uploading")
            return try answer.decoded(Photo.self)
        }
    }
}
