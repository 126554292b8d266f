import Glibc

/// Functions of the gamma family for arguments above 0.
///
/// - Source: NIST Digital Library of Mathematical Functions, 5.11 and 8.7 to 8.9.
enum GammaFunctions {
    /// The logarithm of the gamma function.
    static func logarithm(_ x: Double) -> Double {
        let (shifted, factor) = raised(x, from: 1) { $0 * $1 }
        let inverse = 1 / (shifted * shifted)
        let correction =
            (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) / shifted
        return (shifted - 0.5) * log(shifted) - shifted + 0.5 * log(2 * .pi) + correction - log(factor)
    }

    /// The logarithm's derivative.
    static func digamma(_ x: Double) -> Double {
        let (shifted, sum) = raised(x, from: 0) { $0 + 1 / $1 }
        let inverse = 1 / (shifted * shifted)
        let series =
            inverse * (1 / 12 - inverse * (1 / 120 - inverse * (1 / 252 - inverse * (1 / 240 - inverse / 132))))
        return log(shifted) - 0.5 / shifted - series - sum
    }

    /// The logarithm's second derivative.
    static func trigamma(_ x: Double) -> Double {
        let (shifted, sum) = raised(x, from: 0) { $0 + 1 / ($1 * $1) }
        let inverse = 1 / (shifted * shifted)
        let series = inverse * (1 / 6 - inverse * (1 / 30 - inverse * (1 / 42 - inverse * (1 / 30 - inverse * 5 / 66))))
        return (1 + 0.5 / shifted + series) / shifted + sum
    }

    /// The regularised lower incomplete gamma function P(shape, x).
    static func lowerShare(shape: Double, _ x: Double) -> Double {
        guard x > 0 else { return 0 }
        let front = exp(shape * log(x) - x - logarithm(shape))
        return x < shape + 1 ? front * powerSeries(shape, x) : 1 - front * continuedFraction(shape, x)
    }

    /// Large enough for shapes to a million: the terms shrink over some multiple of the root of the shape.
    private static let mostTerms = 100_000

    private static func powerSeries(_ shape: Double, _ x: Double) -> Double {
        var term = 1 / shape
        var sum = term
        for n in 1...mostTerms where term > sum * 1e-17 {
            term *= x / (shape + Double(n))
            sum += term
        }
        return sum
    }

    /// Lentz's method.
    private static func continuedFraction(_ shape: Double, _ x: Double) -> Double {
        var b = x + 1 - shape
        var c = 1e300
        var d = 1 / b
        var value = d
        for n in 1...mostTerms {
            let a = -Double(n) * (Double(n) - shape)
            b += 2
            d = 1 / (a * d + b)
            c = b + a / c
            value *= c * d
            if abs(c * d - 1) < 1e-16 { break }
        }
        return value
    }

    /// Raises an argument by whole numbers to where the asymptotic series holds, with what the steps contribute.
    private static func raised(
        _ x: Double, from start: Double, _ step: (Double, Double) -> Double
    ) -> (Double, Double) {
        var (x, contribution) = (x, start)
        while x < 12 {
            contribution = step(contribution, x)
            x += 1
        }
        return (x, contribution)
    }
}
