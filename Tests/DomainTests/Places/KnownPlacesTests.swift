import Testing

@testable import Domain

/// Places near borders, on rivers, capes and islands, whose state people know.
struct KnownPlacesTests {
    private static let shipped = Result { try ShippedPlaces.index() }

    /// Name, latitude, longitude and state, "-" for none.
    static let known: [(String, Double, Double, String)] = [
        ("El Paso, Chamizal", 31.767, -106.455, "US-TX"), ("Ciudad Juárez, cathedral", 31.738, -106.487, "-"),
        ("Laredo, San Agustín Plaza", 27.503, -99.506, "US-TX"), ("Nuevo Laredo", 27.488, -99.507, "-"),
        ("Eagle Pass, courthouse", 28.709, -100.500, "US-TX"), ("Piedras Negras", 28.700, -100.523, "-"),
        ("Santa Elena Canyon overlook", 29.170, -103.605, "US-TX"), ("Boquillas del Carmen", 29.186, -102.938, "-"),
        ("Brownsville, Sabal Palm", 25.852, -97.418, "US-TX"), ("Matamoros, plaza", 25.879, -97.504, "-"),
        ("Nogales, Arizona", 31.345, -110.935, "US-AZ"), ("Nogales, Sonora", 31.318, -110.945, "-"),
        ("San Ysidro", 32.553, -117.043, "US-CA"), ("Tijuana, centre", 32.525, -117.035, "-"),
        ("Yuma", 32.710, -114.620, "US-AZ"), ("Playas de Tijuana", 32.520, -117.118, "-"),
        ("Columbus, New Mexico", 31.828, -107.640, "US-NM"), ("Lincoln Memorial", 38.8893, -77.0502, "US-DC"),
        ("Theodore Roosevelt Island", 38.897, -77.064, "US-DC"), ("Arlington Cemetery", 38.877, -77.070, "US-VA"),
        ("Alexandria", 38.805, -77.047, "US-VA"), ("Harpers Ferry", 39.324, -77.735, "US-WV"),
        ("Goat Island, Niagara", 43.081, -79.069, "US-NY"), ("Niagara Falls, Ontario", 43.089, -79.085, "CA-ON"),
        ("Buffalo, waterfront", 42.879, -78.878, "US-NY"), ("Fort Erie", 42.905, -78.930, "CA-ON"),
        ("Detroit, Campus Martius", 42.3316, -83.0466, "US-MI"), ("Windsor", 42.314, -83.036, "CA-ON"),
        ("Sault Ste. Marie, Michigan", 46.490, -84.345, "US-MI"), ("Vancouver, Washington", 45.638, -122.661, "US-WA"),
        ("Portland, Pioneer Square", 45.519, -122.679, "US-OR"), ("Astoria", 46.188, -123.831, "US-OR"),
        ("Ridgefield refuge", 45.805, -122.745, "US-WA"), ("Cincinnati, Fountain Square", 39.1015, -84.5125, "US-OH"),
        ("Covington", 39.080, -84.508, "US-KY"), ("Louisville", 38.254, -85.757, "US-KY"),
        ("Jeffersonville", 38.278, -85.738, "US-IN"), ("Evansville", 37.972, -87.575, "US-IN"),
        ("Cairo, Illinois", 37.005, -89.177, "US-IL"), ("St. Louis, Old Courthouse", 38.6257, -90.1892, "US-MO"),
        ("East St. Louis", 38.625, -90.155, "US-IL"), ("Memphis", 35.147, -90.052, "US-TN"),
        ("West Memphis", 35.147, -90.184, "US-AR"), ("Vicksburg", 32.352, -90.878, "US-MS"),
        ("Omaha", 41.258, -95.935, "US-NE"), ("Council Bluffs", 41.262, -95.861, "US-IA"),
        ("Davenport", 41.523, -90.576, "US-IA"), ("Duluth, Canal Park", 46.781, -92.094, "US-MN"),
        ("Superior, Wisconsin", 46.721, -92.104, "US-WI"), ("Philadelphia, Penn's Landing", 39.946, -75.142, "US-PA"),
        ("Camden", 39.944, -75.120, "US-NJ"), ("The Battery, Manhattan", 40.703, -74.016, "US-NY"),
        ("Jersey City", 40.717, -74.043, "US-NJ"), ("Liberty Island", 40.6893, -74.0445, "US-NY"),
        ("Lake Tahoe, Emerald Bay", 38.954, -120.105, "US-CA"), ("Stateline, Nevada", 38.966, -119.935, "US-NV"),
        ("Lloydminster, west", 53.278, -110.03, "CA-AB"), ("Lloydminster, east", 53.278, -109.98, "CA-SK"),
        ("Ottawa, Parliament", 45.4236, -75.7009, "CA-ON"), ("Gatineau, museum", 45.4302, -75.7090, "CA-QC"),
        ("Campbellton", 48.005, -66.673, "CA-NB"), ("Campobello Island", 44.88, -66.95, "CA-NB"),
        ("Lubec", 44.860, -66.984, "US-ME"), ("Grand Manan", 44.70, -66.82, "CA-NB"),
        ("Machias Seal Island", 44.5017, -67.1014, "CA-NB"), ("Point Roberts", 48.985, -123.06, "US-WA"),
        ("Tsawwassen", 49.015, -123.08, "CA-BC"), ("Saturna Island", 48.79, -123.15, "CA-BC"),
        ("Northwest Angle", 49.345, -95.07, "US-MN"), ("Pelee Island", 41.77, -82.65, "CA-ON"),
        ("Akimiski Island", 53.00, -81.30, "CA-NU"), ("Isle Royale", 48.0, -88.9, "US-MI"),
        ("Cape May Point", 38.932, -74.961, "US-NJ"), ("Cape Henlopen", 38.795, -75.092, "US-DE"),
        ("Cape Charles", 37.27, -76.017, "US-VA"), ("Cape Hatteras", 35.232, -75.53, "US-NC"),
        ("Point Pelee", 41.915, -82.508, "CA-ON"), ("Montauk Point", 41.071, -71.857, "US-NY"),
        ("Block Island", 41.17, -71.58, "US-RI"), ("Provincetown", 42.05, -70.19, "US-MA"),
        ("Key West", 24.555, -81.78, "US-FL"), ("Attu", 52.83, 173.18, "US-AK"), ("Hyder", 55.917, -130.025, "US-AK"),
        ("Shemya", 52.72, 174.10, "US-AK"), ("Saint-Pierre, harbour", 46.781, -56.172, "-"),
        ("Miquelon, village", 47.10, -56.38, "-"), ("Fortune, Newfoundland", 47.073, -55.829, "CA-NL"),
        ("Culebra", 18.31, -65.29, "US-PR"), ("Saint Thomas", 18.345, -64.93, "-"),
        ("Ogdensburg", 44.694, -75.486, "US-NY"), ("Wendover, Utah", 40.737, -114.03, "US-UT"),
        ("Texarkana, Texas", 33.425, -94.06, "US-TX"), ("Texarkana, Arkansas", 33.44, -94.03, "US-AR"),
        ("Hoover Dam, west end", 36.0155, -114.741, "US-NV"), ("Bristol, Virginia", 36.61, -82.18, "US-VA"),
    ]

    @Test func `the state of known places`() throws {
        let index = try Self.shipped.get()
        let wrong = Self.known.compactMap { name, latitude, longitude, state in
            let found = index.locate(place(latitude, longitude))
            return (found.state?.text ?? "-") == state ? nil : "\(name): \(found.state?.text ?? "-")"
        }
        #expect(wrong == [])
    }

    @Test func `towns on two sides of a line count for both regions`() throws {
        let index = try Self.shipped.get()
        // On the bridge between Cincinnati and Covington, another region.
        let bridge = index.locate(place(39.0925, -84.5097))
        #expect(bridge.basis == .border)
        #expect(
            Set([bridge.region?.text, bridge.borderRegion?.text]) == ["great-lakes", "southeast"])
    }
}
