/// The fields of a row while it is read, within the limits. After a fault the rest of the row is not kept.
struct RowBuffer {
    /// Memory handed on from row to row. More is given back, or every row kept by a caller would be as large as the
    /// largest row so far.
    private static let keptCapacity = 8 * 1024

    /// The fields one after another, without quotes and delimiters.
    private(set) var bytes: [UInt8] = []
    /// Offset in `bytes` after each field.
    private(set) var fieldEnds: [Int32] = []
    /// The fault of the row; nil if it has none.
    private(set) var fault: RowFault?

    let limits: DelimitedLimits
    private var fieldLength = 0
    private var isDiscarding = false

    init(limits: DelimitedLimits) {
        self.limits = limits
    }

    /// Whether the row has no byte and no field.
    var isEmpty: Bool { fieldEnds.isEmpty && fieldLength == 0 }

    /// The column of the field that is read, from 1.
    var column: Int { fieldEnds.count + 1 }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
        fieldEnds.removeAll(keepingCapacity: fieldEnds.capacity <= Self.keptCapacity)
        (fault, fieldLength, isDiscarding) = (nil, 0, false)
    }

    mutating func beginField() {
        fieldLength = 0
    }

    /// Adds bytes to the field.
    /// - Returns: false when it is too long.
    mutating func take(_ span: UnsafeBufferPointer<UInt8>) -> Bool {
        fieldLength += span.count
        guard fieldLength <= limits.fieldBytes else { return false }
        if !isDiscarding { bytes.append(contentsOf: span) }
        return true
    }

    mutating func takeUnquoted(_ span: UnsafeBufferPointer<UInt8>) {
        if !take(span) { discard(.fieldTooLong(column: column, limit: limits.fieldBytes)) }
    }

    mutating func endField() {
        guard !isDiscarding else { return }
        fieldEnds.append(Int32(truncatingIfNeeded: bytes.count))
        if fieldEnds.count > limits.columns {
            discard(.tooManyColumns(limit: limits.columns))
        } else if bytes.count > limits.rowBytes {
            discard(.rowTooLong(limit: limits.rowBytes))
        }
    }

    /// Keeps the first fault: the others follow from it.
    mutating func note(_ new: RowFault) {
        if fault == nil { fault = new }
    }

    private mutating func discard(_ fault: RowFault) {
        note(fault)
        isDiscarding = true
    }
}
