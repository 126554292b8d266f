import Domain
import Exchange
import FoundationEssentials
import PhotoStore
import ReadModels

/// Writes the records of an export to a file. Belongs to one task.
protocol ExportWriting: AnyObject {
    /// Bytes written so far, about.
    var size: Int { get }

    /// Adds a record.
    /// - Returns: whether the format has it.
    func append(_ record: BulkRecord) throws -> Bool

    /// Ends the file.
    /// - Parameter keepGoing: throws when the work is to end; called from time to time.
    func finish(_ contents: ExportFacts.Contents, _ keepGoing: () throws -> Void) throws -> FinishedExport
}

/// The file that an export has become.
struct FinishedExport {
    let path: String
    let size: Int
    let digest: SHA256Sum
    /// The files in it, if it is an archive.
    var members: [ExportMember] = []
    /// Records that the format must not have, because they have no taxon or lack another term that GBIF requires.
    var unidentified = 0
    let replacedCharacters: Int
}

/// The parts of an export that do not follow from its rows.
struct ExportFrame {
    let subject: ExportSubject
    let revision: Int
    /// The id of the dataset that the export is a version of.
    let dataset: UUID
    let site: ExportSite
}

extension ExportFormat {
    /// The writer of the format.
    /// - Parameter folder: of this export alone.
    func writer(_ frame: ExportFrame, in folder: String) throws -> any ExportWriting {
        guard let encoder else { return try ArchiveWriting(frame, in: folder) }
        return try TextWriting(encoder, of: self, frame.site.address, in: folder)
    }
}

/// Writes an export as one text.
private final class TextWriting: ExportWriting {
    private var encoder: any OccurrenceEncoder
    private let format: ExportFormat
    private let address: String?
    private let file: HashedFile

    var size: Int { file.size }

    init(_ encoder: any OccurrenceEncoder, of format: ExportFormat, _ address: String?, in folder: String) throws {
        (self.encoder, self.format, self.address) = (encoder, format, address)
        file = try HashedFile(creating: folder + "/export")
        try file.append { self.encoder.begin(into: &$0) }
    }

    func append(_ record: BulkRecord) throws -> Bool {
        let occurrence = record.occurrence(baseURL: address, for: format)
        try file.append { encoder.append(occurrence, to: &$0) }
        return true
    }

    func finish(_ contents: ExportFacts.Contents, _ keepGoing: () throws -> Void) throws -> FinishedExport {
        try file.append { encoder.end(into: &$0) }
        let digest = try file.close()
        return FinishedExport(
            path: file.path, size: file.size, digest: digest, replacedCharacters: encoder.replacedCharacters)
    }
}

/// Writes an export as a Darwin Core archive.
private final class ArchiveWriting: ExportWriting {
    private let archive: OutgoingArchive
    private let frame: ExportFrame
    private let folder: String

    var size: Int { archive.size }

    init(_ frame: ExportFrame, in folder: String) throws {
        (self.frame, self.folder) = (frame, folder)
        let tables = folder + "/tables"
        try FileManager.default.createDirectory(atPath: tables, withIntermediateDirectories: true)
        archive = try OutgoingArchive(in: tables)
    }

    func append(_ record: BulkRecord) throws -> Bool {
        let before = archive.rows
        let outgoing = record.outgoing(as: .dwca, baseURL: frame.site.address)
        try archive.append(
            outgoing.occurrence, media: outgoing.media, identifications: outgoing.identifications,
            measurements: outgoing.measurements, hashes: outgoing.hashes)
        return archive.rows > before
    }

    func finish(_ contents: ExportFacts.Contents, _ keepGoing: () throws -> Void) throws -> FinishedExport {
        let finished = try archive.finish(
            frame.subject.archiveMetadata(
                dataset: frame.dataset, revision: frame.revision, contents: contents,
                contact: frame.site.contact ?? ""))
        return try finished.written(
            to: folder + "/export", replacing: archive.replacedCharacters,
            unidentified: archive.unidentified + archive.incomplete, keepGoing)
    }
}
