import Bytes
import Domain
import Exchange
import Service

/// Reads checklists: Skein's own table, and AviList's.
///
/// - Source: AviList Core Team 2025, "AviList: The Global Avian Checklist, v2025", its table of fields.
struct TaxonChecklist {
    private(set) var rows: [TaxonRow] = []
    private(set) var problems: [ChecklistProblem] = []

    /// - Throws: what reading throws; ``TableFault/missingColumns(file:expected:)`` for any other table.
    init(_ path: String) throws {
        let table = try TableFile(path, columns: [])
        let read = try Self.reader(of: table)
        var rows: [TaxonRow] = []
        var problems: [ChecklistProblem] = []
        try table.forEach { rejection in
            problems.append(ChecklistProblem(line: rejection.line, reason: rejection.fault.description))
        } _: { row in
            do {
                rows.append(try read(row))
            } catch let problem as ChecklistProblem {
                problems.append(problem)
            }
        }
        (self.rows, self.problems) = (rows, problems)
    }

    private static func reader(of table: TableFile) throws -> (TableFile.Row) throws -> TaxonRow {
        if table.columns.isSuperset(of: ["scientificName", "rank", "kind"]) { return skeinRow }
        if table.columns.isSuperset(of: ["Scientific_name", "Taxon_rank", "Order", "Family"]) { return aviListRow }
        throw TableFault.missingColumns(
            file: table.path, expected: "scientificName, rank, kind (or those of AviList)")
    }

    private static func skeinRow(_ row: TableFile.Row) throws -> TaxonRow {
        guard let kind = TaxonKind(written: row["kind"]) else {
            throw ChecklistProblem(line: row.line, reason: "\"\(row["kind"])\" is not a kind")
        }
        var taxon = TaxonRow(
            line: row.line, scientificName: try required("scientificName", row), rank: try rank("rank", row), kind: kind
        )
        let parent = row["parent"]
        taxon.parent = parent.isEmpty ? nil : TaxonRow.Parent(scientificName: parent)
        taxon.authorship = try optional("authorship", row)
        taxon.description = try optional("description", row)
        taxon.link = try optional("link", row)
        taxon.code = try optional("code", row)
        taxon.names = try list("names", row) { part in
            guard let colon = part.firstIndex(of: ":") else { throw RuleViolation(.format, "must be language:name") }
            return CommonName(
                language: try LanguageTag(String(part[..<colon])),
                name: try PublishedText(String(part[part.index(after: colon)...])))
        }
        taxon.synonyms = try list("synonyms", row) { try PublishedText($0) }
        return taxon
    }

    /// Orders belong to the class of birds if it is known, species and subspecies to the taxon their name begins with.
    private static func aviListRow(_ row: TableFile.Row) throws -> TaxonRow {
        let rank = try rank("Taxon_rank", row)
        var taxon = TaxonRow(
            line: row.line, scientificName: try required("Scientific_name", row), rank: rank, kind: .bird)
        let words = taxon.scientificName.text.split(separator: " ")
        taxon.parent =
            switch rank {
            case .order: TaxonRow.Parent(scientificName: "Aves", rank: .class, isOptional: true)
            case .family: TaxonRow.Parent(scientificName: row["Order"], rank: .order)
            case .genus: TaxonRow.Parent(scientificName: row["Family"], rank: .family)
            case .species: TaxonRow.Parent(scientificName: words.prefix(1).joined(separator: " "), rank: .genus)
            case .subspecies: TaxonRow.Parent(scientificName: words.prefix(2).joined(separator: " "), rank: .species)
            default: throw ChecklistProblem(line: row.line, reason: "AviList has no rank \(rank.rawValue)")
            }
        taxon.authorship = try optional("Authority", row)
        taxon.code = try optional("Species_code_Cornell_Lab", row)
        let column = rank == .family ? "Family_English_name" : "English_name_AviList"
        taxon.names = try optional(column, row).map { [CommonName(language: .english, name: $0)] } ?? []
        return taxon
    }
}

// MARK: - Fields

extension TaxonChecklist {
    private static func rank(_ column: String, _ row: TableFile.Row) throws -> TaxonRank {
        guard let rank = TaxonRank(written: row[column]) else {
            throw ChecklistProblem(line: row.line, reason: "\"\(row[column])\" is not a rank")
        }
        return rank
    }

    private static func required(_ column: String, _ row: TableFile.Row) throws -> PublishedText {
        guard let text = try optional(column, row) else {
            throw ChecklistProblem(line: row.line, reason: "\(column) is missing")
        }
        return text
    }

    private static func optional(_ column: String, _ row: TableFile.Row) throws -> PublishedText? {
        let text = row[column]
        return text.isEmpty ? nil : try checked(column, row) { try PublishedText(text) }
    }

    private static func list<Value>(
        _ column: String, _ row: TableFile.Row, _ make: (String) throws -> Value
    ) throws -> [Value] {
        try row[column].split(separator: "|").map { part in
            try checked(column, row) { try make(String(part).trimmed) }
        }
    }

    private static func checked<Value>(
        _ column: String, _ row: TableFile.Row, _ make: () throws -> Value
    ) throws -> Value {
        do {
            return try make()
        } catch let violation as RuleViolation {
            throw ChecklistProblem(line: row.line, reason: "\(column) \(violation.message)")
        }
    }
}

extension ChecklistProblem: Error {}
