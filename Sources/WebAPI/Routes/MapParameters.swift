internal import Domain
internal import ReadModels

extension QueryReader {
    /// The parameters of a map: `bbox`, `from`, `to` and `zoom`.
    mutating func mapView() -> MapView {
        let box = optional("bbox", BoundingBox.init(_:)).flatMap {
            ReadModels.BoundingBox(west: $0.west, south: $0.south, east: $0.east, north: $0.north)
        }
        let zoom = optional("zoom") { (text) throws(RuleViolation) in
            guard let zoom = Int(text), MapGrid.zooms.contains(zoom) else { throw .wholeNumber(MapGrid.zooms) }
            return zoom
        }
        var view = MapView(box: box ?? .world, grid: MapGrid(zoom: zoom ?? 4))
        view.from = optional("from", CivilDate.init(_:))
        view.to = optional("to", CivilDate.init(_:))
        return view
    }
}

extension FeatureCollection {
    /// A map as GeoJSON.
    /// - Parameter names: what the points' taxa are called.
    init(_ answer: MapAnswer, _ view: MapView, _ names: TaxonNames) {
        switch answer {
        case .points(let points):
            self.init(
                features: points.map { .point(MapPoint($0, names)) }, cellDegrees: nil, statuses: Self.statuses)
        case .cells(let cells):
            self.init(
                features: cells.map { .cell(MapCell($0)) }, cellDegrees: view.grid.side, statuses: Self.statuses)
        }
    }

    /// What a map shows.
    private static let statuses = [
        SightingStatus.approved.rawValue, SightingStatus.acceptedBySource.rawValue, SightingStatus.pending.rawValue,
    ]
}

extension MapPoint {
    fileprivate init(_ point: MapAnswer.Point, _ names: TaxonNames) {
        self.init(
            id: point.id.uuid, longitude: point.coordinate.longitude, latitude: point.coordinate.latitude,
            status: point.status.rawValue, observedAt: point.observed?.description ?? "", count: point.count,
            uncertaintyMetres: point.uncertainty,
            taxon: point.taxon.flatMap { names.summary(of: $0) }.map(TaxonReference.init))
    }
}

extension MapCell {
    fileprivate init(_ cell: MapAnswer.Cell) {
        self.init(
            west: cell.box.west, south: cell.box.south, east: cell.box.east, north: cell.box.north,
            records: cell.records, pending: cell.pending)
    }
}
