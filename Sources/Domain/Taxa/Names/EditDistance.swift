/// The edit distance of two texts: a letter left out, added or changed, or two neighbours swapped, counts 1.
enum EditDistance {
    /// The number of edits; nil above the bound.
    /// - Source: optimal string alignment (Damerau 1964), kept to the diagonals that can still be within the bound.
    static func between(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>, atMost bound: Int) -> Int? {
        guard abs(one.count - other.count) <= bound else { return nil }
        let (rows, columns) = (Array(one), Array(other))
        let tooMany = bound + 1
        var beforeLast = [Int](repeating: tooMany, count: columns.count + 1)
        var last = (0...columns.count).map { min($0, tooMany) }
        for row in 1..<(rows.count + 1) {
            var current = [Int](repeating: tooMany, count: columns.count + 1)
            if row <= bound { current[0] = row }
            var best = current[0]
            for column in max(1, row - bound)..<(min(columns.count, row + bound) + 1) {
                let isEqual = rows[row - 1] == columns[column - 1]
                var slips = min(last[column - 1] + (isEqual ? 0 : 1), last[column] + 1, current[column - 1] + 1)
                if row > 1, column > 1, rows[row - 1] == columns[column - 2], rows[row - 2] == columns[column - 1] {
                    slips = min(slips, beforeLast[column - 2] + 1)
                }
                current[column] = min(slips, tooMany)
                best = min(best, current[column])
            }
            if best > bound { return nil }
            (beforeLast, last) = (last, current)
        }
        return last[columns.count] <= bound ? last[columns.count] : nil
    }
}
