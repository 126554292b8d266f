import Glibc

/// Metres along a meridian of WGS 84 from the equator, negative to the south.
///
/// - Source: Helmert's series in the third flattening, to its fourth power; exact to a tenth of a millimetre.
package enum MeridianArc {
    /// The arc to a latitude in degrees.
    package static func metres(to latitude: Double) -> Double {
        metres(toRadians: latitude * .pi / 180)
    }

    /// The latitude in degrees at the end of an arc; a pole for one that reaches beyond it.
    package static func latitude(at metres: Double) -> Double {
        guard abs(metres) < quarter else { return metres < 0 ? -90 : 90 }
        var latitude = metres / radius
        // Newton's method; each step squares an error that starts below 0.003.
        for _ in 0..<4 { latitude -= (self.metres(toRadians: latitude) - metres) / slope(atRadians: latitude) }
        return latitude * 180 / .pi
    }

    /// From the equator to a pole.
    static let quarter = radius * .pi / 2

    static func metres(toRadians latitude: Double) -> Double {
        radius * latitude - 16_038.508662968 * sin(2 * latitude) + 16.832613263 * sin(4 * latitude)
            - 0.021984439 * sin(6 * latitude) + 0.000031148 * sin(8 * latitude)
    }

    /// Metres in a radian of latitude.
    static func slope(atRadians latitude: Double) -> Double {
        radius - 32_077.017325936 * cos(2 * latitude) + 67.330453052 * cos(4 * latitude)
            - 0.131906634 * cos(6 * latitude) + 0.000249184 * cos(8 * latitude)
    }

    private static let radius = 6_367_449.145823415
}
