/// The rows of an archive's core by id, in memory, for joining occurrences that extend them.
struct CoreRows {
    /// Memory that the rows may take. 64 MiB.
    static let memoryLimit = 64 << 20

    private var rows: [String: DelimitedRow] = [:]

    /// Reads the whole core. Rows with a fault are left out: what extends them is then refused, row by row.
    ///
    /// - Throws: `DarwinCoreArchiveError.missingID`, `.duplicateCoreID`, `.coreTooLarge`, and what reading throws.
    init(of archive: DarwinCoreArchive, core: ArchiveTable, memoryLimit: Int = memoryLimit) throws {
        let path = archive.container.path
        guard let idIndex = core.idIndex else {
            throw DarwinCoreArchiveError.missingID(archive: path, rowType: core.rowTypeName)
        }
        let reader = try archive.rows(of: core)
        var memory = 0
        while let record = try reader.next() {
            guard case .row(let row) = record, !row.isEmpty(idIndex) else { continue }
            let id = row[idIndex]
            guard rows.updateValue(row.compacted(), forKey: id) == nil else {
                throw DarwinCoreArchiveError.duplicateCoreID(archive: path, id: id)
            }
            memory += row.memorySize + id.utf8.count
            guard memory <= memoryLimit else {
                throw DarwinCoreArchiveError.coreTooLarge(archive: path, limit: memoryLimit)
            }
        }
    }

    /// The core row with this id.
    subscript(id: String) -> DelimitedRow? { rows[id] }
}
