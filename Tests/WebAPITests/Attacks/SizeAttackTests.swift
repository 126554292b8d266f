import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Testing

@testable import Web

/// A stranger who measures photos, before and after restrictions: each birder's camera or habit makes photos of another
/// size.
struct SizeAttackTests {
    /// Width and height of a JPEG, from its frame header.
    private struct Size: Hashable {
        let width: Int
        let height: Int

        init(_ body: ByteBuffer) throws {
            let bytes = Array(body.readableBytesView)
            let frame = try #require(bytes.indices.dropLast(9).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
            height = Int(bytes[frame + 5]) << 8 | Int(bytes[frame + 6])
            width = Int(bytes[frame + 7]) << 8 | Int(bytes[frame + 8])
        }
    }

    /// A birder's sighting: of a taxon of category 2, obscured, or open until the birder makes it private.
    private struct Sent {
        let name: String
        var more = ""
        var isNarrowed = false

        static let all = [
            Sent(name: "Spotted Owl"), Sent(name: "Song Sparrow", more: #","geoprivacy":"obscured""#),
            Sent(name: "Pacific Wren", isNarrowed: true),
        ]
    }

    private static let heights = [25, 31, 40, 60, 120, 300, 700, 2_000]
    /// More days than a month has.
    private static let later = 40

    @Test func `the size of a guarded photo is that of all, and that of an obscured one names its observer`()
        async throws
    {
        try await ServedRoutes.run { served in
            let moderator = try await Caller.register(served, role: .moderator)
            var taxa: Set<String> = []
            for height in Self.heights {
                let birder = try await Caller.register(served)
                for kind in Sent.all {
                    let sent = try await birder.submit(Caller.sighting(kind.name, more: kind.more))
                    let id = try #require(try sent.text("id"))
                    taxa.insert(try #require(try sent.text("taxon.id")))
                    let added = try await SampleRequests.addPhoto(to: id, by: birder, TestPhotos.high(height))
                    let path = "/v1/moderation/photos/\(try #require(try added.text("id")))/decisions"
                    let approved = try await moderator.send(
                        .post, path, headers: [.ifMatch: "*"], json: #"{"decision":"approve"}"#)
                    #expect(approved.status == .ok)
                    if kind.isNarrowed {
                        _ = try await birder.send(
                            .patch, "/v1/me/findings/\(id)", headers: [.ifMatch: "*"],
                            json: #"{"geoprivacy":"private"}"#)
                    }
                }
            }
            try await served.followToHead()
            #expect(taxa.count == Sent.all.count)
            for taxon in taxa {
                let stranger = Caller.anonymous(served)
                let gallery = try await stranger.read("/v1/taxa/\(taxon)/gallery", daysAhead: Self.later)
                let photos = try gallery["items"]?.items ?? []
                #expect(photos.count == Self.heights.count)
                let isGuarded = photos.allSatisfy { $0["sightingId"] == .null }
                #expect(!isGuarded || Set(photos.map { $0["publishedOn"] }).count == 1)
                var sizes: Set<Size> = []
                for photo in photos {
                    for name in ["thumb", "medium", "large"] {
                        let path = "/v1/photos/\(try #require(photo["id"]?.string))/\(name)"
                        let file = try await stranger.read(path, daysAhead: Self.later)
                        #expect(file.status == .ok)
                        if name == "large" || isGuarded { sizes.insert(try Size(file.body)) }
                    }
                }
                // A photo 24 pixels wide reaches no size but the smallest: its middle, in the nearest shapes.
                let expected: Set<[Int]> = [[320, 320], [240, 320], [213, 320]]
                #expect(!isGuarded || Set(sizes.map { [$0.width, $0.height] }) == expected)
                #expect(isGuarded || sizes.count == Self.heights.count, "the control finds none")
            }
        }
    }
}
