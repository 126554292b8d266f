import CArchive
import Glibc

/// A zip file could not be made.
package struct ZipError: Error, Hashable, CustomStringConvertible {
    /// libarchive's reason.
    package let reason: String

    package var description: String { "the zip file cannot be made: \(reason)" }
}

/// Makes a zip file as a stream: entry after entry, with no more in memory than what was made since ``take()``.
///
/// Owns libarchive's handle. The file is in the order of the calls, and readers find its entries by the directory at
/// its end.
package final class ZipWriter {
    /// The bytes that libarchive has made since they were last taken.
    private final class Output {
        var bytes: [UInt8] = []
    }

    private let handle: OpaquePointer
    private let output = Output()

    /// - Throws: ``ZipError``.
    package init() throws(ZipError) {
        guard let handle = archive_write_new() else { throw ZipError(reason: "libarchive has no memory") }
        self.handle = handle
        try check(archive_write_set_format_zip(handle))
        // Without blocks, everything is passed on as it is made, and nothing is added at the end.
        try check(archive_write_set_bytes_per_block(handle, 0))
        let client = Unmanaged.passUnretained(output).toOpaque()
        let status = archive_write_open(
            handle, client, nil,
            { _, client, bytes, count in
                guard let client, let bytes else { return -1 }
                Unmanaged<Output>.fromOpaque(client).takeUnretainedValue().bytes
                    .append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
                return count
            }, nil)
        try check(status)
    }

    deinit { archive_write_free(handle) }

    /// Begins an entry, and ends the one before.
    /// - Parameters:
    ///   - name: ASCII, with `/` between its parts.
    ///   - storing: the number of bytes of something that is compressed already; nil for what is to be compressed.
    ///   - modified: in seconds since 1970.
    /// - Throws: ``ZipError``.
    package func begin(_ name: String, storing size: Int? = nil, modified: Int) throws(ZipError) {
        guard let entry = archive_entry_new() else { throw ZipError(reason: "libarchive has no memory") }
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname(entry, name)
        skein_archive_entry_set_regular(entry)
        archive_entry_set_perm(entry, 0o644)
        archive_entry_set_mtime(entry, modified, 0)
        if let size {
            archive_entry_set_size(entry, Int64(size))
            try check(archive_write_zip_set_compression_store(handle))
        } else {
            try check(archive_write_zip_set_compression_deflate(handle))
        }
        try check(archive_write_header(handle, entry))
    }

    /// Adds bytes to the entry.
    /// - Throws: ``ZipError``, also for more bytes than were announced.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(ZipError) {
        guard !bytes.isEmpty else { return }
        let written = archive_write_data(handle, bytes.baseAddress, bytes.count)
        guard written >= 0 else { throw failure }
        guard written == bytes.count else { throw ZipError(reason: "an entry has more bytes than announced") }
    }

    /// Adds bytes to the entry.
    /// - Throws: ``ZipError``.
    package func write(_ bytes: [UInt8]) throws(ZipError) {
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(ZipError) in try write(buffer) }
        }
        try result.get()
    }

    /// The bytes of the file that were made since the last call.
    package func take() -> [UInt8] {
        defer { output.bytes.removeAll(keepingCapacity: true) }
        return output.bytes
    }

    /// Ends the file; what is left is taken afterwards.
    /// - Throws: ``ZipError``.
    package func finish() throws(ZipError) {
        try check(archive_write_close(handle))
    }

    /// A warning is no failure.
    private func check(_ status: Int32) throws(ZipError) {
        guard status == ARCHIVE_OK || status == ARCHIVE_WARN else { throw failure }
    }

    private var failure: ZipError {
        ZipError(reason: archive_error_string(handle).map { String(cString: $0) } ?? "unknown")
    }
}
