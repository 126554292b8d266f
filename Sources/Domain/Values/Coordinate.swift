package import JSON

/// A place on Earth in WGS 84 decimal degrees.
package struct Coordinate: Hashable, Sendable {
    /// Degrees north of the equator, -90 to 90.
    package let latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    package let longitude: Double

    /// Checks a place.
    /// - Throws: ``RuleViolation`` when it is not on Earth, or is 0/0, which broken devices report.
    package init(latitude: Double, longitude: Double) throws(RuleViolation) {
        self.latitude = try Self.checkedLatitude(latitude)
        self.longitude = try Self.checkedLongitude(longitude)
        guard latitude != 0 || longitude != 0 else {
            throw RuleViolation(.range, "must not be 0/0, which means that the place is unknown")
        }
    }

    /// Wraps degrees that come from a computation over checked ones, such as the centre of a cell.
    package init(uncheckedLatitude latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Checks a latitude alone, so that faults of both halves are reported at once.
    /// - Throws: ``RuleViolation`` outside -90 to 90.
    package static func checkedLatitude(_ degrees: Double) throws(RuleViolation) -> Double {
        guard (-90...90).contains(degrees) else { throw latitudeRule }
        return degrees + 0.0
    }

    /// Checks a longitude alone.
    /// - Throws: ``RuleViolation`` outside -180 to 180.
    package static func checkedLongitude(_ degrees: Double) throws(RuleViolation) -> Double {
        guard (-180...180).contains(degrees) else { throw longitudeRule }
        return degrees + 0.0
    }

    private static let latitudeRule = RuleViolation(.range, "must be degrees north from -90 to 90")
    private static let longitudeRule = RuleViolation(.range, "must be degrees east from -180 to 180")
}

extension Coordinate {
    /// The two members that payloads keep side by side; nil where one is missing.
    static func sideBySide(required isRequired: Bool) -> Shape<Self?> {
        Shape(
            read: { reader throws(PayloadFault) in
                let latitude: Degrees? = try reader.optional("latitude", required: isRequired)
                let longitude: Degrees? = try reader.optional("longitude", required: isRequired)
                guard let latitude, let longitude else { return nil }
                return Coordinate(uncheckedLatitude: latitude.value, longitude: longitude.value)
            },
            write: { coordinate, writer in
                guard let coordinate else { return }
                writer.field("latitude", Degrees(value: coordinate.latitude))
                writer.field("longitude", Degrees(value: coordinate.longitude))
            })
    }
}

/// A latitude or a longitude in a payload.
private struct Degrees: PayloadValue {
    let value: Double

    init(value: Double) {
        self.value = value
    }

    init(payload: JSONValue) throws(RuleViolation) {
        guard let value = payload.number, (-180...180).contains(value) else {
            throw RuleViolation(.range, "must be degrees from -180 to 180")
        }
        self.value = value
    }

    func write(to writer: inout PayloadWriter) {
        writer.number(value)
    }
}

/// The radius of the smallest circle around a place that holds the whole true place, in metres.
/// - Source: Darwin Core `coordinateUncertaintyInMeters`, which may not be 0.
///   Half the way around the Earth is 20,040 km.
package struct UncertaintyMetres: Hashable, Comparable, Sendable {
    /// The farthest that two places on Earth can be from each other, rounded up, in metres.
    package static let most = 20_040_000.0
    /// Metres, above 0.
    package let value: Double

    /// Checks a radius.
    /// - Throws: ``RuleViolation`` when it is not above 0 and at most 20,040,000.
    package init(_ metres: Double) throws(RuleViolation) {
        guard metres > 0, metres <= Self.most else {
            throw RuleViolation(.range, "must be metres above 0 and at most 20,040,000")
        }
        self.value = metres
    }

    package static func < (one: Self, other: Self) -> Bool {
        one.value < other.value
    }
}

extension UncertaintyMetres: PayloadValue {
    package init(payload: JSONValue) throws(RuleViolation) {
        try self.init(payload.number ?? .nan)
    }

    package func write(to writer: inout PayloadWriter) {
        writer.number(value)
    }
}
