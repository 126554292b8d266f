import Domain
package import ReadModels

extension QueryReader {
    /// The parameters of a map: `bbox`, `from`, `to` and `zoom`.
    package mutating func mapView() -> MapView {
        let box = optional("bbox", BoundingBox.init(_:))
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
