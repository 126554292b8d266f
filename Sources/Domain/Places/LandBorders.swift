/// The borders between regions, and between regions and land abroad. Coasts are no borders.
package struct LandBorders: Sendable {
    private let lines: [RegionCode: [[Coordinate]]]

    /// Collects the borders of all regions, in time proportional to the points of all outlines.
    package init(_ places: PlaceIndex) {
        var lines = RegionLines()
        places.network.forEachEdge { edge in
            let (left, right) = (Int(edge.sides.0), Int(edge.sides.1))
            guard left != 0, right != 0 else { return }
            lines.add(edge, between: places.state(left)?.region, places.state(right)?.region)
        }
        self.lines = lines.finished
    }

    /// The lines between a region and other land; none for an island.
    package func lines(of region: RegionCode) -> [[Coordinate]] {
        lines[region] ?? []
    }
}

/// Joins edges that follow each other, so that most points are kept once.
private struct RegionLines {
    private var lines: [RegionCode: [[Coordinate]]] = [:]
    private var line: [Coordinate] = []
    private var regions: Set<RegionCode> = []
    private var end: GridPoint?

    /// Adds an edge between two regions; nil stands for land that is in none.
    mutating func add(_ edge: BorderEdge, between left: RegionCode?, _ right: RegionCode?) {
        guard left != right else { return }
        let sides = Set([left, right].compactMap { $0 })
        let from = GridPoint(x: Int(edge.x1), y: Int(edge.y1))
        if from != end || sides != regions {
            finish()
            (line, regions) = ([from.coordinate], sides)
        }
        let to = GridPoint(x: Int(edge.x2), y: Int(edge.y2))
        line.append(to.coordinate)
        end = to
    }

    private mutating func finish() {
        if line.count > 1 {
            for region in regions { lines[region, default: []].append(line) }
        }
        (line, end) = ([], nil)
    }

    var finished: [RegionCode: [[Coordinate]]] {
        var all = self
        all.finish()
        return all.lines
    }
}
