import Domain
import EventLog
import FoundationEssentials
import ReadModels
import Vault

extension ModerationQueue {
    /// The items with all that a moderator needs to decide, in their order, as the log has them now. Those that are
    /// gone since the read model saw them are left out.
    /// - Parameter next: the first item of the next page. Its existence reveals that it meets the filter, so it is
    ///   recorded as read, too, but not returned.
    func entries(
        _ items: [ReviewItem], before next: ReviewItem? = nil, for moderator: AccountID
    ) async throws -> [QueueEntry] {
        let photos = try await moderation.presentPhotos(
            items.filter { $0.subject == .photo }.map { PhotoID($0.id) })
        let shown = items.filter { $0.subject == .sighting || photos[PhotoID($0.id)] != nil }
        // Photos of one sighting share it.
        let words = try await moderation.conversations.words(
            of: Array(Set(shown.flatMap { [$0.id, $0.sighting.uuid] })))
        let sightings = try await moderation.sightings(
            Set((shown + [next].compactMap(\.self)).map(\.sighting)), words, for: moderator)
        let typed = try await moderation.contents.content(
            of: photos.values.map(\.id), fields: [.altText, .capture])
        return shown.compactMap { item in
            guard let sighting = sightings[item.sighting] else { return nil }
            let photo = photos[PhotoID(item.id)].flatMap {
                OwnedPhoto(
                    $0, altText: typed[item.id]?[.altText], capture: typed[item.id]?[.capture],
                    sighting: sighting.finding.details)
            }
            let row = sighting.photos.first { $0.id.uuid == item.id }
            return QueueEntry(
                item: item, sighting: sighting,
                photo: photo.map { ReviewedPhoto(photo: $0, conversation: words[item.id] ?? []) },
                resembles: Array((row?.resembles ?? []).prefix(QueueEntry.mostResembling)))
        }
    }
}
