import Domain

/// Typed text in canonical form: its length separates it from its neighbours and from a missing text.
enum CanonicalText {
    static func bytes(of texts: [String?]) -> [UInt8] {
        texts.flatMap { text in Array((text.map { "\($0.utf8.count):\($0)" } ?? "-").utf8) }
    }

    static func bytes(of change: Change<String>) -> [UInt8] {
        switch change {
        case .unset: Array("-".utf8)
        case .cleared: Array("0".utf8)
        case .set(let text): bytes(of: [text])
        }
    }
}
