package import Domain
import FoundationEssentials
package import ReadModels

/// The place of an item in a list, as the parts of a cursor. Cursors do not expire, so the parts must never change.
package protocol PageKey: Sendable {
    /// nil if the parts are not those of such a key.
    init?(parts: ArraySlice<PageCursor.Part>)
    var parts: [PageCursor.Part] { get }
}

extension MomentKey: PageKey {
    package init?(parts: ArraySlice<PageCursor.Part>) {
        guard parts.count == 2, case .integer(let time) = parts.first, case .uuid(let id) = parts.last,
            Instant.written.contains(Instant(microsecondsSince1970: time))
        else { return nil }
        self.init(Instant(microsecondsSince1970: time), id)
    }

    package var parts: [PageCursor.Part] { [.integer(moment.microsecondsSince1970), .uuid(id)] }
}

extension PublicPhotoQueries.Page.Key: PageKey {
    package init?(parts: ArraySlice<PageCursor.Part>) {
        guard parts.count == 2, case .text(let day) = parts.first, case .uuid(let id) = parts.last,
            let published = try? CivilDate(day)
        else { return nil }
        self.init(published: published, id: PhotoID(id))
    }

    package var parts: [PageCursor.Part] { [.text(published.description), .uuid(id.uuid)] }
}

extension PublicListQueries.Page.Key: PageKey {
    package init?(parts: ArraySlice<PageCursor.Part>) {
        guard parts.count == 2, case .text(let text) = parts.first, case .uuid(let id) = parts.last,
            let day = try? CivilDate(text)
        else { return nil }
        self.init(day, SightingID(id))
    }

    package var parts: [PageCursor.Part] { [.text(day.description), .uuid(id.uuid)] }
}

extension RegionRangeQueries.Page.Key: PageKey {
    package init?(parts: ArraySlice<PageCursor.Part>) {
        guard parts.count == 2, case .integer(let bits) = parts.first, case .uuid(let id) = parts.last else {
            return nil
        }
        let latitude = Double(bitPattern: UInt64(bitPattern: bits))
        guard (-90...90).contains(latitude) else { return nil }
        self.init(latitude, TaxonID(id))
    }

    /// The latitude by its bits, so that none is rounded.
    package var parts: [PageCursor.Part] { [.integer(Int64(bitPattern: latitude.bitPattern)), .uuid(species.uuid)] }
}

extension ISOWeek: PageKey {
    package init?(parts: ArraySlice<PageCursor.Part>) {
        guard parts.count == 1, case .text(let text) = parts.first, let week = try? ISOWeek(text) else { return nil }
        self = week
    }

    package var parts: [PageCursor.Part] { [.text(description)] }
}

/// The key of lists in the order of public ids.
extension SightingID: PageKey {
    package init?(parts: ArraySlice<PageCursor.Part>) {
        guard parts.count == 1, case .uuid(let id) = parts.first else { return nil }
        self.init(id)
    }

    package var parts: [PageCursor.Part] { [.uuid(uuid)] }
}
