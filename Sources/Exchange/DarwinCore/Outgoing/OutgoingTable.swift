/// A table of an archive to be written: tab-separated lines that end with `\n`, nothing enclosed, one line of headings.
///
/// The first column has the id of the occurrence that a row is, or belongs to.
///
/// - Source: Darwin Core text guide, https://dwc.tdwg.org/text/.
struct OutgoingTable: Sendable {
    static let darwinCore = "http://rs.tdwg.org/dwc/terms/"

    struct Column: Sendable {
        let name: String
        /// The term's identifier.
        let term: String
    }

    let file: String
    let rowType: String
    /// Those after the id.
    let columns: [Column]
    private let isCore: Bool

    /// The core: all columns of bulk answers.
    static let occurrences = OutgoingTable(
        file: "occurrence.txt", rowType: darwinCore + "Occurrence",
        columns: OccurrenceColumn.allCases.map { Column(name: $0.name, term: $0.term) }, isCore: true)

    /// An extension with terms of one namespace.
    init(file: String, rowType: String, columns: [String], namespace: String) {
        self.init(file: file, rowType: rowType, columns: [(namespace, columns)])
    }

    /// An extension with terms of several namespaces.
    init(file: String, rowType: String, columns: [(namespace: String, names: [String])]) {
        let columns = columns.flatMap { part in part.names.map { Column(name: $0, term: part.namespace + $0) } }
        self.init(file: file, rowType: rowType, columns: columns, isCore: false)
    }

    private init(file: String, rowType: String, columns: [Column], isCore: Bool) {
        (self.file, self.rowType, self.columns, self.isCore) = (file, rowType, columns, isCore)
    }

    /// Appends the line of headings.
    func appendHeadings(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: (isCore ? "id" : "coreid").utf8)
        for column in columns {
            bytes.append(UInt8(ascii: "\t"))
            bytes.append(contentsOf: column.name.utf8)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// The descriptor of an archive with this core, `meta.xml`.
    func descriptor(extensions: [OutgoingTable], metadata: String) -> [UInt8] {
        var writer = MarkupWriter()
        let attributes: [(StaticString, String)] = [("xmlns", "http://rs.tdwg.org/dwc/text/"), ("metadata", metadata)]
        writer.element("archive", attributes) { writer in
            for table in [self] + extensions { table.describe(in: &writer) }
        }
        return writer.bytes
    }

    private func describe(in writer: inout MarkupWriter) {
        let attributes: [(StaticString, String)] = [
            ("encoding", "UTF-8"), ("fieldsTerminatedBy", "\\t"), ("linesTerminatedBy", "\\n"),
            ("fieldsEnclosedBy", ""), ("ignoreHeaderLines", "1"), ("rowType", rowType),
        ]
        writer.element(isCore ? "core" : "extension", attributes) { writer in
            writer.element("files") { $0.leaf("location", [], file) }
            writer.leaf(isCore ? "id" : "coreid", [("index", "0")])
            for (index, column) in columns.enumerated() {
                writer.leaf("field", [("index", String(index + 1)), ("term", column.term)])
            }
        }
    }
}
