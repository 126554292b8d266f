/// How much of a place its observer lets others see; a greater value is a narrower one.
package enum Geoprivacy: String, Vocabulary, Comparable {
    /// The exact place.
    case open
    /// A cell of 0.1°.
    case obscured
    /// No place.
    case `private`

    private var narrowness: Int {
        switch self {
        case .open: 0
        case .obscured: 1
        case .private: 2
        }
    }

    /// A lesser one shows more.
    package static func < (one: Self, other: Self) -> Bool {
        one.narrowness < other.narrowness
    }
}
