import Glibc

/// The precision of published figures: degrees have 6 decimals, slopes 4, p has 3 significant digits.
extension Double {
    /// The nearest number with so many decimals.
    package func rounded(decimals: Int) -> Double {
        let scale = pow(10, Double(decimals))
        let rounded = (self * scale).rounded() / scale
        return rounded.isFinite ? rounded : self
    }

    /// The nearest number with so many significant digits.
    package func rounded(significant digits: Int) -> Double {
        guard isFinite, self != 0 else { return self }
        let exponent = Int(log10(magnitude).rounded(.down)) - digits + 1
        // Through text, because no power of ten below 1 is a number.
        guard let whole = Int(exactly: (self / pow(10, Double(exponent))).rounded()) else { return self }
        return Double("\(whole)e\(exponent)") ?? self
    }
}
