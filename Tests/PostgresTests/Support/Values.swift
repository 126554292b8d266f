import Foundation
import Postgres

/// Values of every type, the extremes among them, for round trips.
enum Values {
    static let int16s: [Int16] = [.min, -1, 0, 1, .max]
    static let int32s: [Int32] = [.min, -1, 0, 1, .max]
    static let int64s: [Int64] = [.min, -1, 0, 1, .max]
    static let doubles: [Double] = [
        -.infinity, -.greatestFiniteMagnitude, -1.5, -0.0, 0, .leastNonzeroMagnitude, 0.1, .pi,
        .greatestFiniteMagnitude, .infinity,
    ]
    static let strings = [
        "", " ", "it's", "\\", "\"", "a\nb\tc\r", "Ünïcödé", "鶴", "👩‍👩‍👧‍👦", "e\u{301}", "\u{1}\u{7f}", "{NULL}", "$1",
        "null",
        String(repeating: "goose ", count: 20_000),
    ]
    static let bytes: [[UInt8]] = [[], [0], [255], Array(0...255), Array(repeating: 0, count: 100_000)]
    static let dates: [Date] = [
        Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -1.25), Date(timeIntervalSinceReferenceDate: 0),
        date(microseconds: 811_692_800_123_456), date(microseconds: -31_622_400_000_001), date(microseconds: 1),
        Date(timeIntervalSince1970: -7_000_000_000.5), Date(timeIntervalSince1970: 253_402_300_799),
        Date(timeIntervalSince1970: -210_866_803_200), Date(timeIntervalSince1970: 9_224_318_015_999),
    ]
    static let jsons = ["{}", #"{"b":1,  "a":[1,2,null],"b":2}"#, #""é\u00e9""#, "1e400", "null"].map {
        PostgresJSON($0)
    }

    static func date(using generator: inout some RandomNumberGenerator) -> Date {
        // Whole microseconds between 1900 and 2100, the range in which they survive a Date.
        let microseconds = Int64.random(in: -2_208_988_800_000_000...4_102_444_800_000_000, using: &generator)
        return date(microseconds: microseconds)
    }

    /// The date nearest to a number of microseconds since 2001.
    static func date(microseconds: Int64) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(microseconds / 1_000_000) + Double(microseconds % 1_000_000) / 1e6)
    }

    static func string(using generator: inout some RandomNumberGenerator) -> String {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...40, using: &generator) {
            if let scalar = Unicode.Scalar(UInt32.random(in: 1...0x2ffff, using: &generator)) { scalars.append(scalar) }
        }
        return String(scalars)
    }
}
