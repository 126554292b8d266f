import HTTPTypes
import Testing

@testable import Forms
@testable import Web
@testable import WebAPI

struct AcceptWeightsTests {
    @Test(arguments: [
        ("application/geo+json-seq", true), ("APPLICATION/geo+json-seq;q=0.5, text/html", true),
        ("application/geo+json-seq;q=0.5, application/geo+json;q=0.5", true), ("application/geo+json-seq;q=0", false),
        ("application/geo+json-seq;q=0.1, application/geo+json", false), ("application/geo+json-seq;q=nan", false),
        ("application/geo+json-sequence", false), ("*/*", false), ("", false),
    ])
    func `a sequence is for clients that prefer it`(accept: String, isAccepted: Bool) {
        #expect(FeatureSequence.isAccepted([.accept: accept]) == isAccepted)
    }
}
