package import EventLog

extension ReadModel {
    /// Every read model this program follows and queries.
    package static let all: [ReadModel] = [.accounts, .taxa, .datasets, .sightingsExact, .sightingsPublic]

    /// A model of embedded SQL files.
    /// - Parameter fold: the parts of the fold, in the order in which they are to be made.
    init(embedded name: String, version: Int, table: [UInt8], fold: [[UInt8]], digest: [String: [String]]) {
        self.init(
            name: name, version: version, table: String(decoding: table, as: UTF8.self),
            fold: fold.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n"), digest: digest)
    }
}
