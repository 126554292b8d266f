package import Domain
import ReadModels

/// The moment as of which an answer is requested.
package enum AsOf: Hashable, Sendable {
    /// A position in the log.
    case position(GivenLogPosition)
    /// The last position recorded at or before a time.
    case time(Instant)

    /// Reads a position or an RFC 3339 time.
    /// - Throws: `RuleViolation` for any other form.
    package init(_ text: String) throws(RuleViolation) {
        if let position = GivenLogPosition(text) {
            self = .position(position)
        } else if let instant = try? Instant(Self.repairingOffset(text)) {
            self = .time(instant)
        } else {
            throw RuleViolation(.format, "must be a position of the log or a time with offset")
        }
    }

    /// A space is taken for the unescaped "+" of an offset.
    private static func repairingOffset(_ text: String) -> String {
        // Between date and time a space is accepted for "T".
        guard let space = text.lastIndex(of: " "), text.utf8.distance(from: text.startIndex, to: space) > 10 else {
            return text
        }
        return text.replacingCharacter(at: space, with: "+")
    }

    /// Rejects a time in the future.
    /// - Throws: `ProblemDetails` (422).
    package func check(now: Instant) throws(ProblemDetails) {
        if case .time(let time) = self, time > now { throw ProblemDetails(.positionInFuture) }
    }
}

extension String {
    fileprivate func replacingCharacter(at index: Index, with character: Character) -> String {
        var text = self
        text.replaceSubrange(index...index, with: CollectionOfOne(character))
        return text
    }
}

extension QueryReader {
    /// The parameters of a map: `bbox`, `from`, `to` and `zoom`.
    mutating func mapView() -> MapView {
        let box = optional("bbox", BoundingBox.init(_:))
        let zoom = optional("zoom") { (text) throws(RuleViolation) in
            guard let zoom = Int(text), MapGrid.zooms.contains(zoom) else { throw .wholeNumber(MapGrid.zooms) }
            return zoom
        }
        var view = MapView(box: box ?? .world, grid: MapGrid(zoom: zoom ?? 4))
        view.from = optional("from", CivilDate.init(_:))
        view.to = optional("to", CivilDate.init(_:))
        return view
    }
}
