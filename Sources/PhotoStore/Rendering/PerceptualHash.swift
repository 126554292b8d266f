import Bytes

/// A hash that is nearly the same for images that look nearly the same: the fewer bits differ, the more alike they are.
/// - Source: N. Krawetz, "Kind of Like That" (2013): dHash, the signs of the differences between neighbours in a row.
enum PerceptualHash {
    static let width = 9
    static let height = 8

    /// - Parameter brightness: of the image scaled to 9 by 8 pixels, row by row.
    /// - Returns: 64 bits as 16 hexadecimal digits.
    static func hash(_ brightness: [UInt8]) -> String {
        var bits: UInt64 = 0
        for row in 0..<height {
            for column in 0..<(width - 1) {
                let index = row * width + column
                bits = bits << 1 | (brightness[index] < brightness[index + 1] ? 1 : 0)
            }
        }
        return Hexadecimal.digits(of: bits.bigEndianBytes)
    }
}
