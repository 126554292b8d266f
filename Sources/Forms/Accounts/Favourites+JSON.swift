package import JSON
package import Service

/// The favourites of an account.
package struct FavouriteList: JSONRepresentable {
    let items: [NamedFavourite]

    package init(items: [NamedFavourite]) {
        self.items = items
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { $0.field("items", items) }
    }
}

extension NamedFavourite: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("taxon", taxon)
            writer.field("addedAt", addedAt)
        }
    }
}
