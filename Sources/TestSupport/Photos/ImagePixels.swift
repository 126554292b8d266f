import CVips
import Foundation

/// An image, shrunk to the brightness of 40 times 40 cells: enough to see whether two show the same the same way up.
package struct ImagePixels: Sendable {
    package let width: Int
    package let height: Int
    private let brightness: [UInt8]

    /// - Throws: `CocoaError` for a file that is no image.
    package init(_ path: String) throws {
        guard cvips_start() == 0, let image = cvips_open(path) else { throw CocoaError(.fileReadCorruptFile) }
        defer { cvips_close(image) }
        (width, height) = (Int(cvips_width(image)), Int(cvips_height(image)))
        var brightness = [UInt8](repeating: 0, count: 1600)
        guard cvips_brightness(image, 40, 40, &brightness) == 0 else { throw CocoaError(.fileReadCorruptFile) }
        self.brightness = brightness
    }

    /// The mean difference of the cells, of 255.
    /// - Parameter turned: whether the other image is turned upside down before.
    package func difference(from other: ImagePixels, turned: Bool = false) -> Double {
        let cells = turned ? other.brightness.reversed() : other.brightness
        let sum = zip(brightness, cells).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(brightness.count)
    }

    /// Whether it shows what another one shows, of the same size and the same way up, which a picture that looks alike
    /// upside down cannot tell.
    package func isUpright(as other: ImagePixels) -> Bool {
        let apart = difference(from: other)
        return [width, height] == [other.width, other.height] && apart < 6
            && difference(from: other, turned: true) > 3 * apart
    }
}
