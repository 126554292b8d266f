/// A line as text: differences of latitude and longitude in hundred-thousandths of a degree, five bits a character.
///
/// - Source: Google, "Encoded Polyline Algorithm Format".
package enum EncodedPolyline {
    private static let perDegree = 100_000.0

    /// The points of a line; nil if the text has a character that the format does not, ends within a point, or has a
    /// point that is not on Earth.
    package static func coordinates(_ text: some Sequence<UInt8>) -> [Coordinate]? {
        var rest = ArraySlice(text)
        var coordinates: [Coordinate] = []
        var (latitude, longitude) = (0, 0)
        while !rest.isEmpty {
            guard let north = difference(&rest), let east = difference(&rest) else { return nil }
            latitude += north
            longitude += east
            guard abs(latitude) <= 9_000_000, abs(longitude) <= 18_000_000 else { return nil }
            coordinates.append(
                Coordinate(
                    uncheckedLatitude: Double(latitude) / perDegree, longitude: Double(longitude) / perDegree))
        }
        return coordinates
    }

    private static func difference(_ rest: inout ArraySlice<UInt8>) -> Int? {
        var value = 0
        for shift in stride(from: 0, to: 35, by: 5) {
            guard let byte = rest.popFirst(), (63...126).contains(byte) else { return nil }
            let part = Int(byte) - 63
            value |= (part & 31) << shift
            if part < 32 { return value & 1 == 0 ? value >> 1 : ~(value >> 1) }
        }
        return nil
    }
}
