import Foundation

/// A picture, squeezed into a square of brightnesses, from which its frames are sampled.
struct GreyPicture: Sendable {
    /// Rows, and columns.
    static let side = 160

    /// 0 to 255, row by row.
    let brightness: [UInt8]
    /// Width by height of the picture before it was squeezed.
    let aspect: Double

    /// A part of a picture, as fractions of its width and height.
    struct Box: Hashable, Sendable {
        var left = 0.0
        var top = 0.0
        var right = 1.0
        var bottom = 1.0

        /// The part that is left without margins, which are fractions of this box.
        func inset(_ margins: Margins) -> Box {
            let (width, height) = (right - left, bottom - top)
            return Box(
                left: left + margins.left * width, top: top + margins.top * height,
                right: right - margins.right * width, bottom: bottom - margins.bottom * height)
        }

        /// Whether it differs from another one by more than two of the square's pixels.
        func differs(from other: Box) -> Bool {
            let apart = [left - other.left, top - other.top, right - other.right, bottom - other.bottom]
            return apart.contains { abs($0) * Double(GreyPicture.side) > 2 }
        }
    }

    /// The parts of width and height that a frame leaves out on each side.
    struct Margins: Hashable, Sendable {
        var left: Double
        var top: Double
        var right: Double
        var bottom: Double

        /// The same on all sides.
        init(_ all: Double) {
            (left, top, right, bottom) = (all, all, all, all)
        }
    }

    /// A part of a picture in `size` times `size` brightnesses, row by row.
    /// - Parameters:
    ///   - size: even.
    ///   - degrees: by which the part is turned clockwise about its centre.
    func samples(of box: Box, turnedBy degrees: Double, size: Int) -> [Float] {
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        let centre = (x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2)
        let points = 2 * size
        var samples = [Float](repeating: 0, count: size * size)
        for row in 0..<points {
            let down = ((Double(row) + 0.5) / Double(points) - 0.5) * (box.bottom - box.top)
            for column in 0..<points {
                let across = ((Double(column) + 0.5) / Double(points) - 0.5) * (box.right - box.left) * aspect
                let x = centre.x + (cosine * across - sine * down) / aspect
                let y = centre.y + sine * across + cosine * down
                samples[row / 2 * size + column / 2] += interpolated(x, y) / 4
            }
        }
        return samples
    }

    /// The brightness at a point, given as fractions; beyond the edge, that of the edge.
    private func interpolated(_ x: Double, _ y: Double) -> Float {
        let last = Double(Self.side) - 1.001
        let (x, y) = (
            min(max(x * Double(Self.side) - 0.5, 0), last), min(max(y * Double(Self.side) - 0.5, 0), last)
        )
        let (column, row) = (Int(x), Int(y))
        let (right, lower) = (Float(x - Double(column)), Float(y - Double(row)))
        let index = row * Self.side + column
        let above = Float(brightness[index]) * (1 - right) + Float(brightness[index + 1]) * right
        let below =
            Float(brightness[index + Self.side]) * (1 - right) + Float(brightness[index + Self.side + 1]) * right
        return above * (1 - lower) + below * lower
    }
}

// MARK: - Borders

extension GreyPicture {
    /// The whole picture; what is left of it without bars above and below, as a screenshot has them; without uniform
    /// borders; and without those that have a clock or a phone's home bar in them. Only those that differ.
    var boxes: [Box] {
        let found = [
            box(rows: .bars, columns: nil), box(rows: .backgrounds, columns: .backgrounds),
            box(rows: .interrupted, columns: .backgrounds),
        ]
        return found.reduce(into: [Box()]) { boxes, box in
            if boxes.allSatisfy(box.differs) { boxes.append(box) }
        }
    }

    /// Which rows and columns at the edge count as border: those in which enough pixels are nearly as bright as most
    /// of the outermost row or column.
    private struct BorderRule {
        let tolerance: Int
        let share: Double
        /// The most consecutive lines that may interrupt the border.
        var interruption = 0

        /// Bars have one colour, and may have a clock, a title or a phone's home bar in them.
        static let bars = BorderRule(tolerance: 6, share: 0.6)
        /// Backgrounds have nearly one colour.
        static let backgrounds = BorderRule(tolerance: 12, share: 0.9)
        /// Backgrounds that a clock or a phone's home bar interrupts.
        static let interrupted = BorderRule(tolerance: 12, share: 0.9, interruption: side / 25)
    }

    private func box(rows rule: BorderRule, columns other: BorderRule?) -> Box {
        let side = Self.side
        var (columns, rows) = (0..<side, 0..<side)
        func row(_ row: Int) -> [UInt8] { Array(brightness[(row * side)..<((row + 1) * side)]) }
        func column(_ column: Int) -> [UInt8] { rows.map { brightness[$0 * side + column] } }
        rows = rows.dropFirst(Self.border(of: rows, row, rule))
        rows = rows.dropLast(Self.border(of: rows.reversed(), row, rule))
        if let other {
            columns = columns.dropFirst(Self.border(of: columns, column, other))
            columns = columns.dropLast(Self.border(of: columns.reversed(), column, other))
        }
        func fraction(_ edge: Int) -> Double { Double(edge) / Double(side) }
        return Box(
            left: fraction(columns.lowerBound), top: fraction(rows.lowerBound), right: fraction(columns.upperBound),
            bottom: fraction(rows.upperBound))
    }

    /// The number of lines that are border, from the first on; never all of them.
    private static func border(
        of lines: some RandomAccessCollection<Int>, _ pixels: (Int) -> [UInt8], _ rule: BorderRule
    ) -> Int {
        guard let outermost = lines.first else { return 0 }
        let sorted = pixels(outermost).sorted()
        guard !sorted.isEmpty else { return 0 }
        let colour = Int(sorted[sorted.count / 2])
        var (border, others) = (0, 0)
        for (index, line) in lines.prefix(max(0, lines.count - side / 5)).enumerated() {
            let pixels = pixels(line)
            let alike = pixels.count { abs(Int($0) - colour) <= rule.tolerance }
            if Double(alike) >= rule.share * Double(pixels.count) {
                (border, others) = (index + 1, 0)
            } else {
                others += 1
                if others > rule.interruption { break }
            }
        }
        return border
    }
}
