/// How much a JSON document may ask of its reader.
package struct JSONLimits: Sendable {
    /// How deeply arrays and objects may be nested.
    package let depth: Int
    /// How many bytes a document may have.
    package let bytes: Int

    /// Sets both limits.
    package init(depth: Int, bytes: Int) {
        self.depth = depth
        self.bytes = bytes
    }

    /// What any request may send: 64 KiB. The largest sighting, notes included, takes a third of it.
    package static let request = JSONLimits(depth: 16, bytes: 64 * 1024)
    /// What a batch of up to 100 sightings may send: 1 MiB.
    package static let batch = JSONLimits(depth: 16, bytes: 1024 * 1024)
}
