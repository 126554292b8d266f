import Testing

@testable import ReadModels

struct SliceTests {
    private struct Request: SliceRequest {
        var limit = 3
        var after: Int?
    }

    /// Selects the rows as a statement does.
    private func list(_ all: [Int], _ request: Request) -> Slice<Int, Int> {
        request.slice(Array(all.filter { $0 > request.after ?? 0 }.prefix(request.rows))) { $0 }
    }

    @Test func `the slices of a list have every item once, and only the last one has no next`() {
        for count in 0...10 {
            let all = Array(1..<(count + 1))
            var (listed, parts, request) = ([Int](), 0, Request())
            repeat {
                let slice = list(all, request)
                listed += slice.items
                parts += 1
                #expect(slice.further == slice.next.map { $0 + 1 })
                request.after = slice.next
            } while request.after != nil
            #expect(listed == all && parts == max(1, (count + 2) / 3))
        }
    }

    @Test func `an item without a place ends the list`() {
        let slice = Request().slice([1, 2, 3, 4]) { _ in nil }
        #expect(slice.items == [1, 2, 3] && slice.next == nil)
    }

    @Test func `a slice whose items are left out still leads to the next one`() {
        let slice = list([1, 2, 3, 4], Request()).with([String]())
        #expect(slice.items.isEmpty && slice.next == 3)
    }
}
