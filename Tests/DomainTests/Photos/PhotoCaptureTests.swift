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

    @Test(arguments: [
        (CaptureTag.original, "2026-06-01T07:30:00", true), (.digitized, "2026-06-01T07:30:00", true),
        (.changed, "2026-06-01T07:30:00", false), (.changed, "2026-04-01T07:30:00", true),
        (.changed, "2026-05-01T07:30:00", false), (.original, "2026-05-01T07:30:00", false),
    ])
    func `a time long before or after the sighting is a hint, but a later change is not`(
        tag: CaptureTag, time: String, isHint: Bool
    ) throws {
        let capture = PhotoCapture(capturedAt: try CaptureTime(time), capturedAtTag: tag)
        let hints = PhotoHint.hints(capture, try Samples.details("2026-05-01T07:30:00-07:00"))
        #expect(hints == (isHint ? [.capturedElsewhen] : []))
    }
}
