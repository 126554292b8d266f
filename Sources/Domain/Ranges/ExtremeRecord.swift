/// The outermost record of a range.
package struct ExtremeRecord: Hashable, Sendable {
    /// Degrees.
    package let latitude: Double
    package let sighting: SightingID

    package init(latitude: Double, sighting: SightingID) {
        (self.latitude, self.sighting) = (latitude, sighting)
    }

    /// The same in whole millionths of a degree, as ``RangeRecord`` has it.
    package var rounded: Self {
        Self(latitude: RangeRecord.rounded(latitude), sighting: sighting)
    }

    /// Finds the outermost of the records, and at the same latitude the one with the smallest id; nil without records.
    package init?(of records: some Sequence<RangeRecord>, _ end: RangeEnd) {
        let outermost = records.min { one, other in
            let (first, second) = (one.place.latitude * end.outward, other.place.latitude * end.outward)
            return first == second ? one.id < other.id : first > second
        }
        guard let outermost else { return nil }
        (latitude, sighting) = (outermost.place.latitude, outermost.id)
    }
}
