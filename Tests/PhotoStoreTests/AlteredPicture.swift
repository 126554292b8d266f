import CVips
import Foundation
import TestRandom
import Testing

@testable import PhotoStore

/// A grey picture that is altered as people alter photos before they send them again.
struct AlteredPicture: Sendable {
    var width: Int
    var height: Int
    /// Row by row.
    var pixels: [UInt8]

    init(width: Int, height: Int, _ brightness: (Int, Int) -> Double) {
        (self.width, self.height) = (width, height)
        pixels = (0..<(width * height)).map {
            UInt8(min(max(brightness($0 % width, $0 / width), 0), 255))
        }
    }

    /// libvips is started once: tests run side by side.
    private static let isStarted = cvips_start() == 0

    /// A photo as its smallest rendition shows it.
    /// - Throws: `CocoaError` for a file that is no image.
    init(_ path: String) throws {
        guard Self.isStarted, let image = cvips_shrink_file(path, 320) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        defer { cvips_close(image) }
        (width, height) = (Int(cvips_width(image)), Int(cvips_height(image)))
        pixels = [UInt8](repeating: 0, count: width * height)
        guard cvips_brightness(image, Int32(width), Int32(height), &pixels) == 0 else {
            throw CocoaError(.fileReadCorruptFile)
        }
    }

    /// A picture of light and shade, coarse and fine, like a landscape.
    static func made(_ random: inout RandomSource) -> AlteredPicture {
        let layers = [2, 3, 5, 9, 17, 33].map { size in
            (size: size, heights: (0..<((size + 1) * (size + 1))).map { _ in random.double(in: 0...255) })
        }
        return AlteredPicture(width: 320, height: 240) { x, y in
            layers.reduce(0) { sum, layer in
                let (across, down) = (Double(x * layer.size) / 320, Double(y * layer.size) / 240)
                let (column, row) = (Int(across), Int(down))
                func height(_ row: Int, _ column: Int) -> Double { layer.heights[row * (layer.size + 1) + column] }
                let (right, lower) = (across - Double(column), down - Double(row))
                let above = height(row, column) * (1 - right) + height(row, column + 1) * right
                let below = height(row + 1, column) * (1 - right) + height(row + 1, column + 1) * right
                return sum + (above * (1 - lower) + below * lower) * 0.6 / Double(layer.size).squareRoot()
            } / 1.4
        }
    }

    /// A dark bird before a sky that is brighter on one side.
    static func inTheSky(_ random: inout RandomSource) -> AlteredPicture {
        let (top, down, across) = (
            random.double(in: 100...200), random.double(in: -60...60), random.double(in: -20...20)
        )
        let (x, y) = (random.double(in: 0.3...0.7), random.double(in: 0.3...0.7))
        let (length, turn) = (random.double(in: 0.01...0.025), random.double(in: 0...(.pi)))
        return AlteredPicture(width: 320, height: 213) { column, row in
            let place = (x: Double(column) / 320 - x, y: (Double(row) / 213 - y) * 213 / 320)
            let along = (cos(turn) * place.x + sin(turn) * place.y) / length
            let beside = (cos(turn) * place.y - sin(turn) * place.x) / length * 3
            if along * along + beside * beside < 1 { return 40 }
            return top + Double(row) / 213 * down + Double(column) / 320 * across
        }
    }

    /// As the renderer sees it.
    var grey: GreyPicture {
        GreyPicture(
            brightness: resized(GreyPicture.side, GreyPicture.side).pixels, aspect: Double(width) / Double(height))
    }

    private subscript(x: Int, y: Int) -> Double { Double(pixels[y * width + x]) }
}

// MARK: - Alterations

extension AlteredPicture {
    /// An alteration by its name.
    struct Alteration: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let apply: @Sendable (AlteredPicture) -> AlteredPicture

        init(_ name: String, _ apply: @escaping @Sendable (AlteredPicture) -> AlteredPicture) {
            (testDescription, self.apply) = (name, apply)
        }
    }

    static let alterations: [Alteration] = [
        Alteration("half the size") { $0.resized($0.width / 2, $0.height / 2) },
        Alteration("darker") { picture in picture.mapped { picture[$0, $1] * 0.6 } },
        Alteration("cut by 3 %") { $0.cut(0.03, 0.03, 0.03, 0.03) },
        Alteration("cut by 5 %") { $0.cut(0.05, 0.05, 0.05, 0.05) },
        Alteration("cut by 5 % on the left") { $0.cut(0.05, 0, 0, 0) },
        Alteration("cut by 5 % at the bottom") { $0.cut(0, 0, 0, 0.05) },
        Alteration("cut by 5 % on two sides") { $0.cut(0.05, 0.05, 0, 0) },
        Alteration("mirrored") { $0.mirrored },
        Alteration("mirrored and cut") { $0.mirrored.cut(0.04, 0.04, 0.04, 0.04) },
        Alteration("turned by 3 degrees") { $0.turned(by: 3, fill: 0) },
        Alteration("turned by -3 degrees") { $0.turned(by: -3, fill: 255) },
        Alteration("turned by 2 degrees") { $0.turned(by: 2, fill: 128) },
        Alteration("a black border") { $0.framed(0.05, 0.05, 0) },
        Alteration("a grey border") { $0.framed(0.05, 0.05, 130) },
        Alteration("a white border") { $0.framed(0.05, 0.05, 255) },
        Alteration("a screenshot with black bars") { $0.framed(0, 0.9, 0) },
        Alteration("a screenshot with white bars") { $0.framed(0, 0.4, 255) },
        Alteration("a screenshot with grey bars and a clock") { $0.framed(0, 0.6, 40).withClock },
        Alteration("a dark screenshot with a clock and a home bar") { $0.framed(0, 0.6, 0).withClock.withHomeBar(255) },
        Alteration("a light screenshot with a home bar") { $0.framed(0, 0.3, 250).withHomeBar(10) },
    ]

    private func mapped(_ brightness: (Int, Int) -> Double) -> AlteredPicture {
        AlteredPicture(width: width, height: height, brightness)
    }

    private var mirrored: AlteredPicture { mapped { self[width - 1 - $0, $1] } }

    func resized(_ newWidth: Int, _ newHeight: Int) -> AlteredPicture {
        AlteredPicture(width: newWidth, height: newHeight) { x, y in
            let columns = (x * width / newWidth)..<max(x * width / newWidth + 1, (x + 1) * width / newWidth)
            let rows = (y * height / newHeight)..<max(y * height / newHeight + 1, (y + 1) * height / newHeight)
            var sum = 0.0
            for row in rows { for column in columns { sum += self[column, row] } }
            return sum / Double(columns.count * rows.count)
        }
    }

    /// Cuts parts of its width and height off.
    private func cut(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> AlteredPicture {
        let (x, y) = (Int((left * Double(width)).rounded()), Int((top * Double(height)).rounded()))
        return AlteredPicture(
            width: width - x - Int((right * Double(width)).rounded()),
            height: height - y - Int((bottom * Double(height)).rounded())
        ) { self[$0 + x, $1 + y] }
    }

    /// Adds parts of its width and height on each side.
    private func framed(_ across: Double, _ down: Double, _ colour: Double) -> AlteredPicture {
        let (x, y) = (Int((across * Double(width)).rounded()), Int((down * Double(height)).rounded()))
        return AlteredPicture(width: width + 2 * x, height: height + 2 * y) {
            let (column, row) = ($0 - x, $1 - y)
            return (0..<width).contains(column) && (0..<height).contains(row) ? self[column, row] : colour
        }
    }

    /// Shows a phone's home bar in its lower bar.
    private func withHomeBar(_ colour: Double) -> AlteredPicture {
        let rows = (height * 97 / 100)..<(height * 97 / 100 + max(1, height / 120))
        let columns = (width * 32 / 100)..<(width * 68 / 100)
        return mapped { rows.contains($1) && columns.contains($0) ? colour : self[$0, $1] }
    }

    /// Shows the time in its upper bar.
    private var withClock: AlteredPicture {
        let rows = height / 20..<height / 12
        return mapped { x, y in
            rows.contains(y) && (width / 20..<width / 6).contains(x) && (x / 4 + y / 4) % 2 == 0 ? 255 : self[x, y]
        }
    }

    private func turned(by degrees: Double, fill: Double) -> AlteredPicture {
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        let (middle, centre) = (Double(width - 1) / 2, Double(height - 1) / 2)
        return mapped { x, y in
            let (across, down) = (Double(x) - middle, Double(y) - centre)
            let column = (cosine * across + sine * down + middle).rounded()
            let row = (cosine * down - sine * across + centre).rounded()
            let isInside = column >= 0 && row >= 0 && column < Double(width) && row < Double(height)
            return isInside ? self[Int(column), Int(row)] : fill
        }
    }
}
