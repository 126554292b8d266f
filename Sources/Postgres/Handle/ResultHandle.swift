import CLibPQ
import Glibc
import Synchronization

/// Owner of one `PGresult`; it is cleared with the last reference.
///
/// `@unchecked Sendable`: libpq documents a `PGresult` as read-only once made and free to pass between threads; the
/// pointer is private, only functions that read are called on it, and `PQclear` is called once, in `deinit`.
final class ResultHandle: @unchecked Sendable {
    private let result: OpaquePointer
    let rowCount: Int
    let columnCount: Int
    /// Where a name is looked for first: behind the column that was found last. Only a guess, so tasks that read at
    /// the same time need not agree on it.
    private let nextColumn = Atomic(0)

    init(_ result: OpaquePointer) {
        self.result = result
        rowCount = Int(PQntuples(result))
        columnCount = Int(PQnfields(result))
    }

    deinit {
        PQclear(result)
    }

    var status: ExecStatusType { PQresultStatus(result) }

    /// `INSERT 0 3` and the like.
    var commandTag: String {
        // PQcmdStatus takes a pointer to non-const for history's sake; it only reads.
        PQcmdStatus(result).map { String(cString: $0) } ?? ""
    }

    /// Rows the command affected or returned, zero where it has no such number.
    var affectedCount: Int {
        PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    }

    func columnName(_ column: Int) -> String {
        PQfname(result, Int32(column)).map { String(cString: $0) } ?? ""
    }

    /// The column of that exact name. Rows are mostly read in the order of the select list: then each name is compared
    /// once. (`PQfnumber` would compare it with all before it, and fold its case.)
    ///
    /// - Precondition: no two columns have the name, or what is found would depend on what was read before. Checked in
    ///   debug builds.
    func columnIndex(named name: String) -> Int? {
        var name = name
        return name.withUTF8 { name in
            assert((0..<columnCount).count { isNamed($0, name) } <= 1, "two columns have one name")
            let next = nextColumn.load(ordering: .relaxed)
            let isNext = next < columnCount && isNamed(next, name)
            guard let column = isNext ? next : (0..<columnCount).first(where: { isNamed($0, name) }) else { return nil }
            nextColumn.store(column + 1, ordering: .relaxed)
            return column
        }
    }

    private func isNamed(_ column: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let found = PQfname(result, Int32(column)), let wanted = name.baseAddress else { return false }
        return strlen(found) == name.count && memcmp(found, wanted, name.count) == 0
    }

    func columnType(_ column: Int) -> PostgresType {
        PostgresType(rawValue: PQftype(result, Int32(column)))
    }

    /// Whether the column is in binary format; everything but the answers to scripts is.
    func isBinary(_ column: Int) -> Bool {
        PQfformat(result, Int32(column)) == 1
    }

    /// Row and column must exist.
    func isNull(row: Int, column: Int) -> Bool {
        precondition((0..<rowCount).contains(row) && (0..<columnCount).contains(column), "no such value")
        return PQgetisnull(result, Int32(row), Int32(column)) != 0
    }

    /// The bytes of a value, nil for NULL, as long as the handle lives. Row and column must exist.
    func bytes(row: Int, column: Int) -> UnsafeRawBufferPointer? {
        guard !isNull(row: row, column: column) else { return nil }
        let length = Int(PQgetlength(result, Int32(row), Int32(column)))
        return UnsafeRawBufferPointer(start: PQgetvalue(result, Int32(row), Int32(column)), count: length)
    }

    // MARK: Errors

    /// What the server, or libpq itself, says about a failure.
    var error: PostgresError {
        guard let state = field(DIAG_SQLSTATE) else {
            let message = PQresultErrorMessage(result).map { String(cString: $0) } ?? ""
            return PostgresError(.connectionLost, message.onOneLine())
        }
        return PostgresError(server: report(SQLState(rawValue: state)))
    }

    /// The fields of an error or a notice.
    func report(_ state: SQLState) -> ServerReport {
        Self.report(result, state)
    }

    private func field(_ code: Int) -> String? {
        Self.field(result, code)
    }

    /// Reads the fields of a result that libpq only lends (a notice).
    static func report(_ result: OpaquePointer, _ state: SQLState) -> ServerReport {
        ServerReport(
            severity: field(result, DIAG_SEVERITY_NONLOCALIZED) ?? field(result, DIAG_SEVERITY) ?? "ERROR",
            sqlState: state,
            message: field(result, DIAG_MESSAGE_PRIMARY) ?? "",
            detail: field(result, DIAG_MESSAGE_DETAIL),
            hint: field(result, DIAG_MESSAGE_HINT),
            context: field(result, DIAG_CONTEXT),
            schema: field(result, DIAG_SCHEMA_NAME),
            table: field(result, DIAG_TABLE_NAME),
            column: field(result, DIAG_COLUMN_NAME),
            dataType: field(result, DIAG_DATATYPE_NAME),
            constraint: field(result, DIAG_CONSTRAINT_NAME),
            position: field(result, DIAG_STATEMENT_POSITION).flatMap { Int($0) })
    }

    static func field(_ result: OpaquePointer, _ code: Int) -> String? {
        PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
    }
}

extension String {
    /// libpq's messages have several lines.
    func onOneLine() -> String {
        split(whereSeparator: \.isNewline).joined(separator: " ").replacing("\t", with: "")
    }
}
