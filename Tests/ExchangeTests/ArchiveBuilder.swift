import CArchive

@testable import Exchange

/// Makes archives for tests, broken and hostile ones too.
enum ArchiveBuilder {
    enum Format {
        case zip, tar, tgz
    }

    struct Failure: Error {
        let reason: String
    }

    static func write(_ entries: [(name: String, bytes: [UInt8])], as format: Format, to path: String) throws {
        try UTF8Locale.during { try writeArchive(entries, as: format, to: path) }
    }

    private static func writeArchive(
        _ entries: [(name: String, bytes: [UInt8])], as format: Format, to path: String
    ) throws {
        guard let archive = archive_write_new() else { throw Failure(reason: "no memory") }
        defer { archive_write_free(archive) }
        switch format {
        case .zip:
            archive_write_set_format_zip(archive)
        case .tar:
            archive_write_set_format_ustar(archive)
        case .tgz:
            archive_write_set_format_ustar(archive)
            archive_write_add_filter_gzip(archive)
        }
        try check(archive_write_open_filename(archive, path), archive)
        for entry in entries { try write(entry.name, entry.bytes, to: archive) }
        try check(archive_write_close(archive), archive)
    }

    /// One compressed stream without names.
    static func writeGzip(_ bytes: [UInt8], to path: String) throws {
        guard let archive = archive_write_new() else { throw Failure(reason: "no memory") }
        defer { archive_write_free(archive) }
        archive_write_set_format_raw(archive)
        archive_write_add_filter_gzip(archive)
        try check(archive_write_open_filename(archive, path), archive)
        try write("data", bytes, to: archive)
        try check(archive_write_close(archive), archive)
    }

    private static func write(_ name: String, _ bytes: [UInt8], to archive: OpaquePointer) throws {
        guard let entry = archive_entry_new() else { throw Failure(reason: "no memory") }
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname_utf8(entry, name)
        archive_entry_set_filetype(entry, 0o100000)
        archive_entry_set_perm(entry, 0o644)
        archive_entry_set_size(entry, la_int64_t(bytes.count))
        let status = archive_write_header(archive, entry)
        guard status >= ARCHIVE_WARN else { throw Failure(reason: "header of \(name)") }
        let written = bytes.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
        guard written == bytes.count else { throw Failure(reason: "data of \(name)") }
    }

    private static func check(_ status: Int32, _ archive: OpaquePointer) throws {
        guard status == ARCHIVE_OK else {
            throw Failure(reason: archive_error_string(archive).map { String(cString: $0) } ?? "unknown")
        }
    }
}
