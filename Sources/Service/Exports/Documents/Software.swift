/// This program.
package enum Software {
    package static let version = "0.1.0"
    /// As documents name it.
    package static let name = "Skein \(version)"
}
