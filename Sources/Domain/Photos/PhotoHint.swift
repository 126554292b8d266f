import JSON

/// A difference between a photo's metadata and its sighting that its owner may want to check.
package enum PhotoHint: String, Vocabulary {
    /// Taken more than a day before or after the observation.
    case capturedElsewhen = "captured-elsewhen"
    /// Taken more than 5 km from the sighting's place.
    case capturedElsewhere = "captured-elsewhere"

    /// The hints that a photo's metadata give.
    package static func hints(_ capture: PhotoCapture, _ sighting: SightingDetails) -> [PhotoHint] {
        var hints: [PhotoHint] = []
        if let time = capture.capturedAt, let moment = time.instantInUTC {
            // Without an offset, the camera's clock may differ from UTC as much as any time zone.
            let slack = time.instant == nil ? 86_400 + 14 * 3600 : 86_400
            let (from, to) = (sighting.observed.from, sighting.observed.to)
            // A program may have changed the photo at any time after its capture.
            let isLate = to.adding(seconds: slack) < moment && capture.capturedAtTag != .changed
            if moment < from.adding(seconds: -slack) || isLate {
                hints.append(.capturedElsewhen)
            }
        }
        if let place = capture.coordinate, Geodesic.inverseMetres(place, sighting.coordinate) ?? .infinity > 5000 {
            hints.append(.capturedElsewhere)
        }
        return hints
    }
}

// Kept beside the log as JSON.
extension PhotoCapture {
    /// nil where nothing is known.
    package var json: String? {
        guard !isEmpty else { return nil }
        var writer = PayloadWriter()
        writer.object { writer in
            writer.field("capturedAt", capturedAt)
            writer.field("capturedAtTag", capturedAtTag)
            Coordinate.sideBySide(required: false).write(coordinate, &writer)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Empty for a text that is not such JSON.
    package init(json: String?) {
        guard let json, let value = try? JSONValue(parsing: Array(json.utf8)) else {
            self.init()
            return
        }
        self.init(
            capturedAt: (try? value.optional("capturedAt")) ?? nil,
            capturedAtTag: (try? value.optional("capturedAtTag")) ?? nil)
        if let latitude = value["latitude"]?.number, let longitude = value["longitude"]?.number {
            coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
        }
    }
}
