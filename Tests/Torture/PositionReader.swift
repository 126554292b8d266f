import Service

/// Opens the sealed positions in answers with the key of the log, so that the judge can compare them with the log.
struct PositionReader: Sendable {
    private let seal: PositionSeal

    /// - Parameter key: that of the log's head row.
    init(key: [UInt8]) {
        seal = PositionSeal(key: key)
    }

    /// - Parameter header: `Log-Position`.
    /// - Returns: nil without the header, and if it cannot be opened.
    func position(in header: String?) -> Int64? {
        guard let header, let epoch = header.split(separator: "-").first.flatMap({ Int64($0) }) else { return nil }
        return try? seal.position(header, epoch: epoch, at: .now)
    }
}
