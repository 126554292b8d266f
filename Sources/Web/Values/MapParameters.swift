package import Domain
package import ReadModels

extension QueryReader {
    /// The parameters of an account's own map: `bbox`, `from`, `to` and `zoom`.
    package mutating func mapView(_ places: PlaceIndex) -> MapView {
        let filter = recordFilter(accepting: [.box, .from, .to], places)
        return MapView(filter, grid: mapGrid())
    }

    /// The grid of a map: `zoom`.
    package mutating func mapGrid() -> MapGrid {
        let zoom = optional("zoom") { (text) throws(RuleViolation) in
            guard let zoom = Int(text), MapGrid.zooms.contains(zoom) else { throw .wholeNumber(MapGrid.zooms) }
            return zoom
        }
        return MapGrid(zoom: zoom ?? 4)
    }
}
