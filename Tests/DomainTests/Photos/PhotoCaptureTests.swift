import Testing

@testable import Domain

struct PhotoCaptureTests {
    @Test(arguments: CaptureTag.allCases)
    func `a capture is kept with the tag of its time`(_ tag: CaptureTag) throws {
        let capture = PhotoCapture(
            capturedAt: try CaptureTime("2026-05-01T07:31:05"), capturedAtTag: tag,
            coordinate: try Coordinate(latitude: 47.5, longitude: -121.5))
        #expect(PhotoCapture(json: capture.json) == capture)
    }

    @Test func `a time without a tag is of the first one, as all were once`() {
        for rest in ["", #","capturedAtTag":"Other""#, #","capturedAtTag":7"#] {
            let capture = PhotoCapture(json: #"{"capturedAt":"2026-05-01T07:31:05"\#(rest)}"#)
            #expect(capture.capturedAt != nil && capture.capturedAtTag == .original)
        }
        let timeless = PhotoCapture(json: #"{"capturedAtTag":"DateTime","latitude":47.5,"longitude":-121.5}"#)
        #expect(timeless.capturedAtTag == nil && timeless.coordinate != nil)
        #expect(PhotoCapture(json: "no JSON").isEmpty && PhotoCapture(json: nil).isEmpty)
    }
}
