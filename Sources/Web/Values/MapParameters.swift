package import Domain
package import ReadModels

extension QueryReader {
    /// The parameters of a map: `bbox`, `from`, `to` and `zoom`.
    package mutating func mapView(_ places: PlaceIndex) -> MapView {
        let filter = recordFilter(accepting: [.box, .from, .to], places)
        let zoom = optional("zoom") { (text) throws(RuleViolation) in
            guard let zoom = Int(text), MapGrid.zooms.contains(zoom) else { throw .wholeNumber(MapGrid.zooms) }
            return zoom
        }
        return MapView(filter, grid: MapGrid(zoom: zoom ?? 4))
    }
}
