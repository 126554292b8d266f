import NIOHTTP1
import Testing

/// An approved photo of a public sighting, and the responses that show one or the other.
struct PublishedPhoto: Sendable {
    let owner: Birder
    let moderator: Birder
    let sighting: String
    /// Its id for owner and moderators.
    let photo: String
    /// Each with a text that is in it while it shows what is to go; empty: as long as it is a 200.
    let shown: [(path: String, text: String)]

    /// Submits a sighting with a photo, which a moderator approves.
    /// - Parameter isPhotoOnly: only the photo is to go, not its sighting.
    init(of name: String, by owner: Birder, _ moderator: Birder, isPhotoOnly: Bool = false) async throws {
        let sighting = try #require(try await owner.submit(Birder.sighting(name: name)).text("id"))
        let photo = try #require(try await owner.addPhoto(to: sighting).text("id"))
        let decided = try await moderator.send(
            .POST, "/v1/moderation/photos/\(photo)/decisions", headers: ["If-Match": "*"],
            json: #"{"decision":"approve"}"#)
        let position = ["Log-Position": try #require(decided.header("Log-Position"))]
        let seen = try await owner.service.send(.GET, "/v1/sightings/\(sighting)", headers: position)
        let id = try #require(seen.text("photos.0.id"))
        let (taxon, observer) = (try #require(seen.text("taxon.id")), try #require(seen.text("observer.id")))
        let ofPhoto = [
            ("/v1/sightings/\(sighting)", id), ("/v1/photos/\(id)", id), ("/v1/photos/\(id)/thumb", ""),
            ("/v1/taxa/\(taxon)/gallery", id), ("/v1/observers/\(observer)/gallery", id),
        ]
        let ofSighting = [("/v1/sightings/\(sighting)/history", ""), ("/v1/taxa/\(taxon)/map?zoom=20", sighting)]
        shown = isPhotoOnly ? ofPhoto : ofPhoto + ofSighting
        (self.owner, self.moderator, self.sighting, self.photo) = (owner, moderator, sighting, photo)
    }

    /// A moderator hides the photo.
    func hide() async throws {
        let hidden = try await moderator.send(
            .PUT, "/v1/moderation/photos/\(photo)/hidden", headers: ["If-Match": "*"],
            json: #"{"reason":"person-recognisable"}"#)
        #expect(hidden.status == 200)
    }

    /// The owner withdraws the sighting for privacy.
    func withdraw() async throws {
        let withdrawn = try await owner.send(
            .DELETE, "/v1/me/findings/\(sighting)?reason=privacy", headers: ["If-Match": "*"])
        #expect(withdrawn.status == 204)
    }
}

extension Answer {
    /// Whether it still shows what is to go.
    func shows(_ text: String) -> Bool {
        status == 200 && (text.isEmpty || String(decoding: body, as: UTF8.self).contains(text))
    }
}
