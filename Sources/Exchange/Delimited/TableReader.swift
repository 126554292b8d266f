/// The rows of a table that lies in one file or in several with the same columns, one after another.
package final class TableReader {
    /// Opens a file by name; the second argument is how many rows came before.
    typealias Opening = (_ file: String, _ rowsBefore: Int) throws -> DelimitedReader

    private let files: [(name: String, size: Int)]
    private let opening: Opening
    private var index = 0
    private var reader: DelimitedReader?
    private var rowsBefore = 0

    /// A reader of `files` with their sizes on disk in bytes; `current` is the first of them, if it is open already.
    init(files: [(name: String, size: Int)], current: DelimitedReader? = nil, opening: @escaping Opening) {
        (self.files, self.opening, reader) = (files, opening, current)
    }

    /// Name of the file that the last row came from.
    package var currentFile: String {
        files.indices.contains(index) ? files[index].name : files.last?.name ?? ""
    }

    /// How much of all the files has been read.
    package var progress: ByteProgress {
        let finished = files[..<index].reduce(0) { $0 + $1.size }
        return ByteProgress(
            consumed: finished + (reader?.progress.consumed ?? 0), total: files.reduce(0) { $0 + $1.size })
    }

    /// The next row; nil after the last of all files.
    ///
    /// - Throws: what opening and reading the files throws.
    package func next() throws -> DelimitedRecord? {
        while index < files.count {
            let current = try reader ?? opening(files[index].name, rowsBefore)
            reader = current
            if let record = try current.next() { return record }
            rowsBefore = current.rowCount
            reader = nil
            index += 1
        }
        return nil
    }
}
