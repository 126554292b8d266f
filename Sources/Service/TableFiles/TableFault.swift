/// Why a file of reference data cannot be read.
package enum TableFault: Error, Equatable, CustomStringConvertible {
    /// The file lacks required columns.
    case missingColumns(file: String, expected: String)
    /// The file breaks its form.
    case malformed(file: String, line: Int, reason: String)

    /// A sentence for the operator.
    package var description: String {
        switch self {
        case .missingColumns(let file, let expected): "\(file) lacks columns: expected are \(expected)"
        case .malformed(let file, let line, let reason): "\(file), line \(line): \(reason)"
        }
    }
}
