import Testing

@testable import Domain

struct EncodedPolylineTests {
    @Test func `the example of its specification`() throws {
        let line = try #require(EncodedPolyline.coordinates("_p~iF~ps|U_ulLnnqC_mqNvxq`@".utf8))
        #expect(line == [place(38.5, -120.2), place(40.7, -120.95), place(43.252, -126.453)])
        #expect(EncodedPolyline.coordinates("".utf8) == [])
    }

    @Test(arguments: ["_", "_p~iF", "_p~iF~ps|", "_p iF~ps|U", "é", "_______________?", "~~~~~~F?"])
    func `what is no line is rejected`(text: String) {
        #expect(EncodedPolyline.coordinates(text.utf8) == nil)
    }
}
