import Foundation

/// The time and the place that a camera wrote into a photo. Fields that are missing or make no sense are nil: a wrong
/// clock or a broken tag is no reason to reject a photo.
/// - Source: Exif 2.32 (CIPA DC-008), sections 4.6.4, 4.6.5 and 4.6.6.
struct CaptureMetadata {
    var capturedAt: String?
    /// The name of the tag that has the time.
    var capturedAtTag: String?
    var latitude: Double?
    var longitude: Double?

    /// The tags of times, the best one first, with the tag of each one's offset. The last two are the time of
    /// digitisation, which is the same for a digital camera, and of the last change, by any program.
    private static let times = [
        (field: "exif-ifd2-DateTimeOriginal", tag: "DateTimeOriginal", offset: "exif-ifd2-OffsetTimeOriginal"),
        (field: "exif-ifd2-DateTimeDigitized", tag: "DateTimeDigitized", offset: "exif-ifd2-OffsetTimeDigitized"),
        (field: "exif-ifd0-DateTime", tag: "DateTime", offset: "exif-ifd2-OffsetTime"),
    ]

    /// - Parameter field: a metadata field as libvips writes it: the raw value, then an explanation in parentheses.
    init(_ field: (String) -> String?) {
        func raw(_ name: String) -> String? {
            guard let text = field(name) else { return nil }
            let end = text.range(of: " (", options: .backwards)?.lowerBound ?? text.endIndex
            let value = text[..<end].trimmingCharacters(in: .whitespacesAndNewlines)
            return value.isEmpty ? nil : value
        }
        for (field, tag, offset) in Self.times {
            guard let time = raw(field).flatMap(Self.time) else { continue }
            capturedAt = time + (raw(offset).flatMap(Self.offset) ?? "")
            capturedAtTag = tag
            break
        }
        guard
            let latitude = Self.degrees(raw("exif-ifd3-GPSLatitude"), raw("exif-ifd3-GPSLatitudeRef"), "N", "S"),
            let longitude = Self.degrees(raw("exif-ifd3-GPSLongitude"), raw("exif-ifd3-GPSLongitudeRef"), "E", "W"),
            abs(latitude) <= 90, abs(longitude) <= 180, latitude != 0 || longitude != 0
        else { return }
        (self.latitude, self.longitude) = (latitude, longitude)
    }

    /// "2019:05:01 10:20:30" as "2019-05-01T10:20:30".
    static func time(_ text: String) -> String? {
        let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count >= 6, (1826...9999).contains(numbers[0]), (1...12).contains(numbers[1]),
            (1...31).contains(numbers[2]), (0...23).contains(numbers[3]), (0...59).contains(numbers[4]),
            (0...59).contains(numbers[5]),
            DateComponents(
                calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: numbers[0], month: numbers[1],
                day: numbers[2]
            ).isValidDate
        else { return nil }
        let parts = numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(parts[0])-\(parts[1])-\(parts[2])T\(parts[3]):\(parts[4]):\(parts[5])"
    }

    /// "+02:00" or "Z".
    static func offset(_ text: String) -> String? {
        if text == "Z" { return text }
        let digits = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard text.utf8.count == 6, text.first == "+" || text.first == "-", digits.count == 2,
            let hours = Int(digits[0]), let minutes = Int(digits[1]), (0...14).contains(hours),
            (0...59).contains(minutes)
        else { return nil }
        return text
    }

    /// Degrees of "43/1 28/1 281400000/100000000", negative on the southern or western side. Cameras also write decimal
    /// minutes and no seconds, seconds of 0/0, and the side in small letters.
    static func degrees(_ text: String?, _ side: String?, _ positive: String, _ negative: String) -> Double? {
        guard let side = side?.prefix(1).uppercased(), side == positive || side == negative else { return nil }
        let parts = (text ?? "").split(separator: " ").enumerated().map { fraction($1, isDegrees: $0 == 0) }
        guard (1...3).contains(parts.count) else { return nil }
        var degrees = 0.0
        for (part, unit) in zip(parts, [1.0, 60, 3600]) {
            guard let part, part >= 0, unit == 1 || part <= 60 else { return nil }
            degrees += part / unit
        }
        return degrees.isFinite ? (side == negative ? -degrees : degrees) : nil
    }

    /// The value of "28/10". Minutes and seconds of 0/0 are unknown, and count as none.
    private static func fraction(_ text: Substring, isDegrees: Bool) -> Double? {
        let parts = text.split(separator: "/").compactMap { Double($0) }
        guard parts.count == 2 else { return nil }
        if parts == [0, 0], !isDegrees { return 0 }
        return parts[1] == 0 ? nil : parts[0] / parts[1]
    }
}
