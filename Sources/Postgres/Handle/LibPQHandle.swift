import CLibPQ
import Glibc
import Logging

/// The one file that talks to a `PGconn`: thin, non-blocking, no decisions.
///
/// `@unchecked Sendable`: a `PGconn` may be used by one thread at a time. The handle belongs to one serial executor: to
/// that of the `ConnectionAttempt` until it is handed over, and from then on to that of the `PostgresConnection`, which
/// is its only holder. Nothing hands the pointer out.
final class LibPQHandle: @unchecked Sendable {
    /// What libpq wants to wait for while it connects.
    enum ConnectProgress {
        case waitToRead
        case waitToWrite
        case connected
        case failed
    }

    private var connection: OpaquePointer?
    private let notices: NoticeReceiver

    /// Starts connecting. Resolves names, and so may block for a while.
    init(parameters: [(keyword: String, value: String)], logger: Logger) {
        notices = NoticeReceiver(logger: logger)
        connection = Self.withCStrings(parameters.map(\.keyword)) { keywords in
            Self.withCStrings(parameters.map(\.value)) { values in
                PQconnectStartParams(keywords, values, 0)
            }
        }
        guard let connection else { return }
        PQsetNoticeReceiver(connection, NoticeReceiver.callback, Unmanaged.passUnretained(notices).toOpaque())
    }

    deinit {
        finish()
    }

    /// Closes the connection; sources on a dup of its socket must have been cancelled before.
    func finish() {
        guard let connection else { return }
        PQfinish(connection)
        self.connection = nil
    }

    // MARK: State

    var isBroken: Bool { connection == nil || PQstatus(connection) == CONNECTION_BAD }
    /// Changes with every ``pollConnect()``; -1 when there is none.
    var socket: Int32 { PQsocket(connection) }
    var backendPID: Int32 { PQbackendPID(connection) }
    var usesTLS: Bool { PQsslInUse(connection) == 1 }

    /// What libpq last complained about. It may name host, role and database, never a password.
    var errorMessage: String {
        guard let connection, let message = PQerrorMessage(connection) else { return "out of memory" }
        return String(cString: message).onOneLine()
    }

    var transactionStatus: TransactionStatus {
        switch PQtransactionStatus(connection) {
        case PQTRANS_IDLE: .idle
        case PQTRANS_INTRANS: .open
        case PQTRANS_INERROR: .failed
        default: .unknown
        }
    }

    // MARK: Connecting

    func pollConnect() -> ConnectProgress {
        guard connection != nil else { return .failed }
        return switch PQconnectPoll(connection) {
        case PGRES_POLLING_READING: .waitToRead
        case PGRES_POLLING_WRITING: .waitToWrite
        case PGRES_POLLING_OK: .connected
        default: .failed
        }
    }

    /// Makes a fresh connection non-blocking and puts it in pipeline mode.
    func prepareForUse() -> Bool {
        PQsetnonblocking(connection, 1) == 0 && enterPipelineMode()
    }

    // MARK: Sending

    /// Hands a pipelined command to libpq, with its Sync. False: the connection cannot be used any more.
    func send(_ transmission: PipelineTransmission) -> Bool {
        switch transmission {
        case .execute(let sql, let name): execute(sql, name) && PQpipelineSync(connection) == 1
        case .prepareAndExecute(let sql, let name):
            prepare(sql, name) && execute(sql, name) && PQpipelineSync(connection) == 1
        case .deallocate(let name):
            PQsendQueryParams(connection, "DEALLOCATE \(name)", 0, nil, nil, nil, nil, 1) == 1
                && PQpipelineSync(connection) == 1
        case .beginExclusive: PQexitPipelineMode(connection) == 1
        }
    }

    private func prepare(_ sql: SQL, _ name: String) -> Bool {
        let types = sql.binds.types.map(\.rawValue)
        return PQsendPrepare(connection, name, sql.text, Int32(types.count), types) == 1
    }

    private func execute(_ sql: SQL, _ name: String) -> Bool {
        sql.binds.withPointers { values, lengths in
            let formats = [Int32](repeating: 1, count: values.count)
            return PQsendQueryPrepared(connection, name, Int32(values.count), values, lengths, formats, 1) == 1
        }
    }

    /// Sends text in the simple protocol; not in pipeline mode.
    func sendSimple(_ text: String) -> Bool {
        PQsendQuery(connection, text) == 1
    }

    func enterPipelineMode() -> Bool {
        PQenterPipelineMode(connection) == 1
    }

    /// Sends what is in the buffer as far as the socket takes it. True: all gone; false: wait for the socket; nil:
    /// lost.
    func flush() -> Bool? {
        switch PQflush(connection) {
        case 0: true
        case 1: false
        default: nil
        }
    }

    // MARK: Receiving

    /// Reads what the socket has. False: the connection is lost.
    func consumeInput() -> Bool {
        PQconsumeInput(connection) == 1
    }

    /// Whether the next ``nextAnswer()`` would have to wait.
    var isBusy: Bool { PQisBusy(connection) == 1 }

    private func nextResult() -> ResultHandle? {
        PQgetResult(connection).map { ResultHandle($0) }
    }

    /// The next answer in pipeline mode.
    func nextAnswer() -> PipelineAnswer<PostgresResult> {
        guard let result = nextResult() else { return .end }
        return switch result.status {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: .result(PostgresResult(result))
        case PGRES_PIPELINE_SYNC: .sync(transactionStatus)
        case PGRES_PIPELINE_ABORTED: .skipped
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH: .copy
        default: .failure(result.error)
        }
    }

    /// The next answer outside pipeline mode.
    func nextSimpleAnswer() -> SimpleAnswer {
        guard let result = nextResult() else { return .end }
        return switch result.status {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: .completed(rows: result.affectedCount)
        case PGRES_COPY_IN: .copyInBegan
        case PGRES_COPY_OUT: .copyOutBegan
        case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE: .failure(result.error)
        default: .unexpected
        }
    }

    /// A notification that has arrived, if any.
    func nextNotification() -> PostgresNotification? {
        guard let notification = PQnotifies(connection) else { return nil }
        defer { PQfreemem(notification) }
        return PostgresNotification(
            channel: String(cString: notification.pointee.relname),
            payload: String(cString: notification.pointee.extra),
            backendPID: notification.pointee.be_pid)
    }

    // MARK: COPY

    /// What `PQgetCopyData` has for us.
    enum CopyOutData {
        case bytes
        case notYet
        case end
        case failed
    }

    /// Appends the next message of a COPY to `buffer`.
    func readCopyData(into buffer: inout [UInt8]) -> CopyOutData {
        var data: UnsafeMutablePointer<CChar>?
        let length = PQgetCopyData(connection, &data, 1)
        defer { PQfreemem(data) }
        switch length {
        case 0: return .notYet
        case -1: return .end
        case 1...:
            buffer.append(contentsOf: UnsafeRawBufferPointer(start: data, count: Int(length)))
            return .bytes
        default: return .failed
        }
    }

    /// Hands data of a COPY to libpq. True: taken; false: wait for the socket; nil: lost.
    func putCopyData(_ bytes: ArraySlice<UInt8>) -> Bool? {
        let outcome = bytes.withUnsafeBytes { bytes in
            PQputCopyData(
                connection, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
        }
        return switch outcome {
        case 1: true
        case 0: false
        default: nil
        }
    }

    /// Ends a COPY, or has the server fail it with a message. Same results as ``putCopyData(_:)``.
    func putCopyEnd(failure: String?) -> Bool? {
        switch PQputCopyEnd(connection, failure) {
        case 1: true
        case 0: false
        default: nil
        }
    }
}

extension LibPQHandle {
    /// Lends a nil-terminated array of C strings.
    fileprivate static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies.map { UnsafePointer($0) } + [nil])
    }
}
