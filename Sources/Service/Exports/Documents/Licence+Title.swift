package import Domain

extension Licence {
    /// As Creative Commons writes it.
    package var title: String {
        switch self {
        case .cc0: "Creative Commons Zero 1.0 Universal"
        case .by: "Creative Commons Attribution 4.0 International"
        case .byNonCommercial: "Creative Commons Attribution Non Commercial 4.0 International"
        }
    }
}
