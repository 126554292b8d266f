import Domain
import ReadModels
import Testing

struct MapGridTests {
    @Test func `every zoom quarters the last ones cells`() {
        for zoom in MapGrid.zooms {
            let grid = MapGrid(zoom: zoom)
            #expect(grid.columns == 16 << zoom && grid.rows == grid.columns / 2)
            #expect(grid.side * Double(grid.columns) == 360)
            let last = grid.cell(column: grid.columns - 1, row: grid.rows - 1)
            #expect(last.east == 180 && last.north == 90)
            #expect(grid.cell(column: 0, row: 0).west == -180 && grid.cell(column: 0, row: 0).south == -90)
        }
        #expect(MapGrid(zoom: -3).zoom == 0 && MapGrid(zoom: 99).zoom == 20)
    }

    @Test func `boxes are on earth`() {
        #expect((try? BoundingBox(west: 170, south: -10, east: -170, north: 10)) != nil)
        #expect((try? BoundingBox(west: -181, south: 0, east: 0, north: 1)) == nil)
        #expect((try? BoundingBox(west: 0, south: 2, east: 1, north: 1)) == nil)
        #expect((try? BoundingBox(west: .nan, south: 0, east: 1, north: 1)) == nil)
    }
}
