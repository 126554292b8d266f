import Glibc

/// The centre of places on a sphere.
package enum Centroid {
    /// The direction of the mean of the places' unit vectors.
    package static func of(_ places: some Sequence<Coordinate>) -> Result<Coordinate, MissingReason> {
        var sum = (x: 0.0, y: 0.0, z: 0.0)
        var count = 0.0
        // The order of addition decides the last digits.
        for place in places.sorted(by: { ($0.latitude, $0.longitude) < ($1.latitude, $1.longitude) }) {
            let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
            sum.x += cos(latitude) * cos(longitude)
            sum.y += cos(latitude) * sin(longitude)
            sum.z += sin(latitude)
            count += 1
        }
        guard count > 0 else { return .failure(.noRecords) }
        let across = (sum.x * sum.x + sum.y * sum.y).squareRoot()
        guard (across * across + sum.z * sum.z).squareRoot() > 1e-9 * count else { return .failure(.noCentre) }
        // At a pole every longitude is the same place.
        let longitude = across > 1e-12 * count ? atan2(sum.y, sum.x) * 180 / .pi : 0
        return .success(Coordinate(uncheckedLatitude: atan2(sum.z, across) * 180 / .pi, longitude: longitude))
    }
}
