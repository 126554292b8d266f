import Glibc

/// A gamma distribution of two parameters.
struct GammaDistribution: Hashable, Sendable {
    let shape: Double
    let scale: Double

    /// A greater shape describes values that are all but equal, of which the fit would tell only rounding.
    private static let greatestShape = 1e6

    /// Fits by maximum likelihood; nil for values that are not all above 0, or are all but equal.
    init?(fitting values: [Double]) {
        guard values.allSatisfy({ $0 > 0 && $0.isFinite }), !values.isEmpty else { return nil }
        // The order of addition decides the last digits.
        let (count, ascending) = (Double(values.count), values.sorted())
        let mean = ascending.reduce(0, +) / count
        let spread = log(mean) - ascending.reduce(0) { $0 + log($1) } / count
        guard spread > 0.5 / Self.greatestShape else { return nil }
        // The first guess is within 1.5 % (Minka, "Estimating a gamma distribution", 2002).
        var shape = (3 - spread + ((spread - 3) * (spread - 3) + 24 * spread).squareRoot()) / (12 * spread)
        for _ in 0..<50 {
            let residual = log(shape) - GammaFunctions.digamma(shape) - spread
            let step = residual / (1 / shape - GammaFunctions.trigamma(shape))
            let next = shape - step > 0 ? shape - step : shape / 2
            let isDone = abs(next - shape) <= 1e-15 * shape
            shape = next
            if isDone { break }
        }
        guard shape.isFinite, shape <= Self.greatestShape else { return nil }
        (self.shape, scale) = (shape, mean / shape)
    }

    /// The value below which a share of the distribution lies, for a share between 0 and 1.
    func quantile(_ share: Double) -> Double {
        var low = 0.0
        var high = shape + 1
        while GammaFunctions.lowerShare(shape: shape, high) < share, high < 1e12 { high *= 2 }
        // Newton's method, or halving where it would leave the bracket.
        var x = shape
        for _ in 0..<200 where high - low > 1e-15 * high {
            let excess = GammaFunctions.lowerShare(shape: shape, x) - share
            if excess > 0 { high = x } else { low = x }
            let density = exp((shape - 1) * log(x) - x - GammaFunctions.logarithm(shape))
            let next = x - excess / density
            if abs(next - x) <= 1e-15 * x { break }
            x = next > low && next < high ? next : (low + high) / 2
        }
        return x * scale
    }
}
