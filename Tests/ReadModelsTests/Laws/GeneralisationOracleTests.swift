import Domain
import Testing

/// The oracle that the public read model is compared with.
struct GeneralisationOracleTests {
    private static var coordinate: Coordinate {
        get throws { try Coordinate(latitude: 47.6062, longitude: -122.3321) }
    }

    private static var place: Place {
        get throws {
            Place(
                state: try StateCode("US-WA"), region: try RegionCode("pacific-northwest"),
                country: try CountryCode("US"), basis: .nearest, distanceMetres: 120.5,
                polygons: try PolygonSetCode("ne-50m-v1"), stateCell: .hundredth, regionCell: .tenth,
                countryCell: .thousandth)
        }
    }

    /// In a zone that is always eight hours behind UTC.
    private struct PacificStandardTime: ZoneRules {
        func offsetSeconds(of zone: ZoneName, at instant: Instant) -> Int { -8 * 3_600 }

        func start(of date: CivilDate, in zone: ZoneName) -> Instant {
            Instant(startOf: date).adding(seconds: 8 * 3_600)
        }
    }

    private static func observed(_ text: String) throws -> ObservedInterval {
        try ObservedInterval(
            try ObservationTime(text), in: try ZoneName("America/Los_Angeles"), rules: PacificStandardTime())
    }

    private func view(
        _ sensitivity: SensitivityCategory?, _ geoprivacy: Geoprivacy? = .open, uncertainty: Double? = 10,
        observed: String = "2026-05-01T07:30:00-07:00"
    ) throws -> PublicView {
        Generalisation(sensitivity: sensitivity, geoprivacy: geoprivacy).view(
            coordinate: try Self.coordinate,
            uncertainty: try uncertainty.map { metres in try UncertaintyMetres(metres) },
            place: try Self.place, observed: try Self.observed(observed))
    }

    @Test(
        arguments: [
            (nil, Geoprivacy.open, Generalisation.Precision.exact),
            (nil, .obscured, .tenth), (nil, .private, .noPlace),
            (.four, .open, .thousandth), (.four, .obscured, .tenth), (.four, .private, .noPlace),
            (.three, .open, .hundredth), (.three, .obscured, .tenth), (.three, .private, .noPlace),
            (.two, .open, .tenth), (.two, .obscured, .tenth), (.two, .private, .noPlace),
            (.one, .open, .noPlace), (.one, .obscured, .noPlace), (.one, .private, .noPlace),
        ] as [(SensitivityCategory?, Geoprivacy, Generalisation.Precision)])
    func `the coarser of two rules counts`(
        sensitivity: SensitivityCategory?, geoprivacy: Geoprivacy, precision: Generalisation.Precision
    ) throws {
        #expect(Generalisation(sensitivity: sensitivity, geoprivacy: geoprivacy).precision == precision)
        let view = try view(sensitivity, geoprivacy)
        #expect((view.place == nil) == (precision == .noPlace))
        #expect(view.place?.decimals == precision.decimals)
        #expect(view.isRecord == (sensitivity != .one))
        #expect(view.showsObserver == (sensitivity != .one && sensitivity != .two && geoprivacy != .private))
    }

    @Test func `an exact place is shown as it is`() throws {
        let place = try #require(try view(nil).place)
        #expect(place.coordinate == (try Self.coordinate))
        #expect(place.uncertaintyMetres == 10 && place.state?.text == "US-WA" && !place.isGeneralised)
        #expect(try view(nil, nil).place == place, "imports have no geoprivacy and are open")
    }

    @Test func `areas are shown only where the whole cell lies in them`() throws {
        // The sample's coarsest cells: region 0.1°, state 0.01°, country 0.001°.
        let tenth = try #require(try view(.two).place)
        #expect(tenth.region != nil && tenth.state == nil && tenth.country == nil)
        let hundredth = try #require(try view(.three).place)
        #expect(hundredth.region != nil && hundredth.state != nil && hundredth.country == nil)
        let thousandth = try #require(try view(.four).place)
        #expect(thousandth.region != nil && thousandth.state != nil && thousandth.country != nil)
    }

    @Test func `the uncertainty is never below the true one, unless that would tell guarded records apart`() throws {
        #expect(try view(.three, uncertainty: 50_000).place?.uncertaintyMetres == 50_000)
        let (coarse, fine) = (try view(.two, uncertainty: 50_000), try view(.two, uncertainty: 10))
        #expect(coarse.place?.uncertaintyMetres == fine.place?.uncertaintyMetres)
        let cell = try #require(try view(.three, uncertainty: nil).place?.uncertaintyMetres)
        #expect(cell > 0 && cell < 50_000)
    }

    @Test func `equal cells look equal`() throws {
        let rule = Generalisation(sensitivity: .two, geoprivacy: .open)
        let views = try [(47.6001, -122.3999), (47.6999, -122.3001)].map { latitude, longitude in
            rule.view(
                coordinate: try Coordinate(latitude: latitude, longitude: longitude), uncertainty: nil,
                place: try Self.place, observed: try Self.observed("2026-05-01"))
        }
        #expect(views[0] == views[1])
    }

    @Test func `where the place is hidden so is its zone`() throws {
        // The sample's place is at 122° west: eight hours behind.
        for (told, date) in [("2026-05-01T07:30:00Z", "2026-04-30"), ("2026-05-01T01:30:00-07:00", "2026-05-01")] {
            let time = try view(.four, observed: told).observed
            #expect(time.localFrom.description == date && time.localTo == time.localFrom)
            #expect(time.value.description.hasSuffix("Z"))
        }
        #expect(try view(.three, observed: "2026-05-01").observed.value.description == "2026-05-01")
    }

    @Test func `category three and obscured show the day at most`() throws {
        for (category, geoprivacy) in [(.three, .open), (nil, .obscured), (.four, .obscured)]
            as [(SensitivityCategory?, Geoprivacy)]
        {
            let time = try view(category, geoprivacy, observed: "2026-05-01T07:30:00Z").observed
            #expect(time.value.description == "2026-04-30" && time.localFrom == time.localTo, "the sun's")
            #expect(try view(category, geoprivacy, observed: "2026-05").observed.value.description == "2026-05")
        }
    }

    @Test func `category two and private show the month at most`() throws {
        let times = [
            ("2026-05-01T07:30:00-07:00", "2026-05"), ("2026-05-31", "2026-05"), ("2026-05", "2026-05"),
            ("2026", "2026"),
        ]
        for (told, shown) in times {
            #expect(try view(.two, observed: told).observed.value.description == shown)
            #expect(try view(nil, .private, observed: told).observed.value.description == shown)
            #expect(try view(nil, observed: told).observed.value == ObservationTime(told))
        }
        for geoprivacy in [Geoprivacy.open, .private] {
            let time = try view(.two, geoprivacy, observed: "2026-05-01T02:00:00Z").observed
            #expect(time.value.description == "2026-05", "the same with a place and without")
        }
        let time = try view(.two, observed: "2026-02-03").observed
        #expect(time.localFrom.description == "2026-02-01" && time.localTo.description == "2026-02-28")
    }
}
