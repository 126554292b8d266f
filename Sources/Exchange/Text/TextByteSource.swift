/// The bytes of a text file, in an encoding that extends ASCII: those of the file, or UTF-8 if it is in UTF-16, as
/// Excel saves "Unicode text".
final class TextByteSource: ByteSource {
    private static let pieceSize = 64 * 1024

    private let source: any ByteSource
    private var transcoder: UTF16Transcoder?
    /// Bytes to return before the source is read again.
    private var pending: ArraySlice<UInt8>
    private var isFinished = false

    /// - Parameters:
    ///   - source: a file at its start.
    ///   - file: its name for messages.
    /// - Throws: `TextEncodingError.unsupported` for UTF-32, and what reading throws.
    init(_ source: any ByteSource, file: String) throws {
        self.source = source
        let start = try source.readBytes(upTo: 4)
        if [[0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF]].contains(start) {
            throw TextEncodingError.unsupported(file: file, encoding: "UTF-32")
        }
        transcoder = UTF16Transcoder(start: start)
        pending = start[...]
        if transcoder != nil { transcodePending() }
    }

    var progress: ByteProgress { source.progress }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while pending.isEmpty {
            guard transcoder != nil else { return try source.read(into: buffer) }
            guard !isFinished, !buffer.isEmpty else { return 0 }
            pending = try source.readBytes(upTo: Self.pieceSize)[...]
            isFinished = pending.isEmpty
            transcodePending()
        }
        let count = min(buffer.count, pending.count)
        buffer.copyBytes(from: pending.prefix(count))
        pending.removeFirst(count)
        return count
    }

    private func transcodePending() {
        var text: [UInt8] = []
        text.reserveCapacity(pending.count)
        transcoder?.transcode(pending, to: &text)
        if isFinished { transcoder?.finish(&text) }
        pending = text[...]
    }
}

extension FileContainer {
    /// Opens the text file called `name`; see ``TextByteSource``.
    ///
    /// - Throws: as `open` does, and `TextEncodingError.unsupported`.
    package func openText(_ name: String) throws -> any ByteSource {
        try TextByteSource(open(name), file: files.count > 1 ? "\(path): \(name)" : path)
    }
}
