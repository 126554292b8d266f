import Foundation
import TestRandom
import Testing

@testable import Exchange

struct OutgoingArchiveTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let metadata = ArchiveMetadata(
        dataset: "8c6ae6c7-95b8-4d43-a9c8-1f4a0ff0a001", day: "2026-05-01", title: "Records of wrens",
        abstract: "All of them.", organisation: "Wren Society", contact: "data@wrens.example",
        url: "https://wrens.example/v1/exports/1",
        licence: .init(title: "CC BY 4.0", url: "https://creativecommons.org/licenses/by/4.0/legalcode"),
        citation: "Wren Society (2026). Records of wrens.")

    private static func occurrence(_ id: String, _ values: [OccurrenceColumn: String] = [:]) -> OutgoingOccurrence {
        var occurrence = OutgoingOccurrence()
        occurrence[.occurrenceID] = id
        occurrence[.basisOfRecord] = "HumanObservation"
        occurrence[.scientificName] = "Troglodytes pacificus"
        occurrence[.eventDate] = "2026-05-01"
        for (column, value) in values { occurrence[column] = value }
        return occurrence
    }

    /// Makes an archive in a folder of its own.
    private func spool(_ name: String, _ fill: (OutgoingArchive) throws -> Void) throws -> OutgoingArchive {
        let path = "\(folder.path)/\(name)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let archive = try OutgoingArchive(in: path)
        try fill(archive)
        return archive
    }

    private static func bytes(of archive: FinishedArchive) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let part = try archive.nextPart() { bytes += part.bytes }
        return bytes
    }

    /// Opens the archive with the reader of imports.
    private func opened(
        _ archive: OutgoingArchive, _ metadata: ArchiveMetadata = metadata
    ) throws -> DarwinCoreArchive {
        let finished = try archive.finish(metadata)
        let bytes = try Self.bytes(of: finished)
        #expect(bytes.count == finished.size)
        let path = try folder.write("archive.zip", bytes)
        #expect(try ContainerKind(path: path) == .zip)
        return try DarwinCoreArchive(container: ArchiveContainer(path: path, kind: .zip, limits: .init()))
    }

    private static func rows(of table: ArchiveTable, in archive: DarwinCoreArchive) throws -> [[String]] {
        let reader = try archive.rows(of: table)
        var rows: [[String]] = []
        while let record = try reader.next() {
            guard case .row(let row) = record else {
                Issue.record("a row was rejected: \(record)")
                continue
            }
            rows.append(row.fields)
        }
        return rows
    }

    @Test func `an archive is read back`() throws {
        let archive = try spool("a") { archive in
            var identification = OutgoingIdentification(scientificName: "Troglodytes hiemalis")
            identification.identifiedBy = "moderator 2"
            identification.qualifier = "cf"
            identification.verificationStatus = "approved"
            try archive.append(
                Self.occurrence("urn:uuid:1", [.locality: "a \"quoted\" place", .decimalLatitude: "47.65770"]),
                media: [.init(identifier: "https://wrens.example/v1/photos/7/large", creator: "Ann")],
                identifications: [identification], measurements: [.confidence(8)],
                hashes: [.init(identifier: "https://wrens.example/v1/photos/7/large", sha256: "0c5e")])
            try archive.append(Self.occurrence("urn:uuid:2"))
        }
        let read = try opened(archive)
        let descriptor = try #require(read.descriptor)
        let core = try Self.rows(of: descriptor.core, in: read)
        #expect(core.map { $0[0] } == ["urn:uuid:1", "urn:uuid:2"])
        #expect(core.map { $0[1] } == core.map { $0[0] }, "id is occurrenceID")
        #expect(core.allSatisfy { $0.count == OccurrenceColumn.allCases.count + 1 })
        #expect(core[0][OccurrenceColumn.locality.index + 1] == "a \"quoted\" place")
        #expect(descriptor.core.fields.map(\.term) == OccurrenceColumn.allCases.map(\.term))
        #expect(descriptor.core.fields.allSatisfy { $0.index != nil && $0.defaultValue == nil })
        #expect(
            descriptor.extensions.map(\.rowTypeName) == [
                "Multimedia", "Identification", "MeasurementOrFact", "Multimedia",
            ])
        let rows = try descriptor.extensions.map { try Self.rows(of: $0, in: read) }
        #expect(
            rows[0] == [
                ["urn:uuid:1", "StillImage", "image/jpeg", "https://wrens.example/v1/photos/7/large", "", "Ann"]
            ])
        #expect(
            rows[1] == [
                ["urn:uuid:1", "", "moderator 2", "", "Troglodytes hiemalis", "", "", "", "cf", "approved", ""]
            ])
        #expect(rows[2].map { $0.prefix(3) } == [["urn:uuid:1", "confidence", "8"]])
        let address = "https://wrens.example/v1/photos/7/large"
        #expect(rows[3] == [["urn:uuid:1", address, address, "SHA-256", "0c5e"]])
        #expect(
            descriptor.extensions[3].fields.map(\.term) == [
                "http://purl.org/dc/terms/identifier", "http://rs.tdwg.org/ac/terms/accessURI",
                "http://rs.tdwg.org/ac/terms/hashFunction", "http://rs.tdwg.org/ac/terms/hashValue",
            ])
        #expect(archive.rows == 2 && archive.replacedCharacters == 0)
    }

    @Test func `an import reads it`() throws {
        let archive = try spool("a") { try $0.append(Self.occurrence("1", [.locality: "Discovery Park"])) }
        let path = try folder.write("b.zip", try Self.bytes(of: try archive.finish(Self.metadata)))
        let source = try OccurrenceSource.open(path)
        #expect(
            try source.all(.occurrenceID, .scientificName, .locality, .sex) == [
                "1|Troglodytes pacificus|Discovery Park|-"
            ])
        #expect(source.metadata?.title == "Records of wrens")
        #expect(source.metadata?.licence == "https://creativecommons.org/licenses/by/4.0/legalcode")
        #expect(source.metadata?.publisher == "Wren Society")
        #expect(source.metadata?.citation == "Wren Society (2026). Records of wrens.")
    }

    @Test func `incomplete occurrences are left out with their rows in extensions`() throws {
        let archive = try spool("a") { archive in
            var unidentified = Self.occurrence("1")
            unidentified[.scientificName] = nil
            try archive.append(unidentified, media: [.init(identifier: "x")], measurements: [.confidence(3)])
            var undated = Self.occurrence("2")
            undated[.eventDate] = ""
            try archive.append(undated, measurements: [.confidence(3)])
            try archive.append(Self.occurrence("3"))
        }
        #expect((archive.rows, archive.unidentified, archive.incomplete) == (1, 1, 1))
        let finished = try archive.finish(Self.metadata)
        #expect(finished.members.map(\.name) == ["meta.xml", "eml.xml", "occurrence.txt"], "no empty extension")
    }

    @Test func `no row is an archive with a heading`() throws {
        let read = try opened(try spool("a") { _ in })
        let core = try #require(read.descriptor?.core)
        #expect(try Self.rows(of: core, in: read).isEmpty)
    }

    @Test func `control characters are spaces and counted in extensions too`() throws {
        let archive = try spool("a") { archive in
            try archive.append(
                Self.occurrence("1", [.locality: "a\tb\r\nc"]),
                media: [.init(identifier: "u", creator: "Ann\u{2028}\u{85}Lee")])
        }
        #expect(archive.replacedCharacters == 5)
        let read = try opened(archive)
        let descriptor = try #require(read.descriptor)
        #expect(try Self.rows(of: descriptor.core, in: read)[0][OccurrenceColumn.locality.index + 1] == "a b  c")
        #expect(try Self.rows(of: descriptor.extensions[0], in: read)[0][5] == "Ann  Lee")
    }

    @Test func `the spooled files go with the archive`() throws {
        var archive: OutgoingArchive? = try spool("a") { try $0.append(Self.occurrence("1")) }
        var finished = try archive?.finish(Self.metadata)
        archive = nil
        #expect(try finished?.nextPart() != nil)
        finished = nil
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/a").isEmpty)
    }

    @Test(arguments: RandomSource.seeds(40)) func `any text is read back, and again gives the same bytes`(
        seed: UInt64
    ) throws {
        var random = RandomSource(seed: seed)
        let occurrences = (0..<random.int(in: 0...20)).map { number in
            let columns = OccurrenceColumn.allCases.filter { _ in random.isTrue(oneIn: 2) }
            let values = columns.map { ($0, "x" + random.text()) }
            return Self.occurrence("\(number)", Dictionary(uniqueKeysWithValues: values))
        }
        let media = occurrences.map { _ in
            (0..<random.int(in: 0...2)).map { _ in
                OutgoingMedia(identifier: random.text(), licence: random.text(), creator: random.text())
            }
        }
        func archive(_ name: String) throws -> OutgoingArchive {
            try spool(name) { archive in
                for (occurrence, media) in zip(occurrences, media) { try archive.append(occurrence, media: media) }
            }
        }
        let once = try Self.bytes(of: try archive("a").finish(Self.metadata))
        let read = try opened(try archive("b"))
        #expect(FileManager.default.contents(atPath: folder.path + "/archive.zip").map { Array($0) } == once)
        let descriptor = try #require(read.descriptor)
        let rows = try Self.rows(of: descriptor.core, in: read)
        #expect(
            rows
                == occurrences.map { occurrence in
                    [occurrence[.occurrenceID] ?? ""] + OccurrenceColumn.allCases.map { occurrence[$0] ?? "" }
                })
        let linked = try descriptor.extensions.first.map { try Self.rows(of: $0, in: read).map { $0[0] } } ?? []
        #expect(
            linked
                == zip(occurrences, media).flatMap { occurrence, media in
                    media.map { _ in occurrence[.occurrenceID] ?? "" }
                })
    }
}

struct ArchiveMetadataTests {
    private static func metadata(_ text: String, day: String? = "2026-05-01") -> ArchiveMetadata {
        ArchiveMetadata(
            dataset: "8c6ae6c7-95b8-4d43-a9c8-1f4a0ff0a001", day: day, title: text, abstract: text, organisation: text,
            contact: text, url: text, licence: .init(title: text, url: text), citation: text)
    }

    @Test(arguments: RandomSource.seeds(100)) func `any text is escaped`(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let text = "x" + random.text(length: 0...40) + "y"
        let root = try MarkupParser.parse(Self.metadata(text).document(), file: "eml.xml")
        let expected = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
        let dataset = try #require(root.first("dataset"))
        #expect(dataset.first("title")?.text == expected)
        #expect(dataset.first("contact", "organizationName")?.text == expected)
        #expect(dataset.first("intellectualRights", "para", "ulink")?.attributes["url"] == expected)
        #expect(root.first("additionalMetadata", "metadata", "gbif", "citation")?.text == expected)
    }

    @Test func `a later day is a version of the same dataset`() throws {
        #expect(Self.metadata("x").packageID == "8c6ae6c7-95b8-4d43-a9c8-1f4a0ff0a001/v1.2026-05-01")
        #expect(Self.metadata("x", day: nil).packageID == "8c6ae6c7-95b8-4d43-a9c8-1f4a0ff0a001/v1")
        let root = try MarkupParser.parse(Self.metadata("x", day: nil).document(), file: "eml.xml")
        #expect(root.first("dataset", "pubDate") == nil)
    }

    @Test func `the rule of acceptance is there and no person`() throws {
        let root = try MarkupParser.parse(Self.metadata("x").document(), file: "eml.xml")
        let rule = root.first("dataset", "methods", "qualityControl", "description", "para")?.text
        #expect(rule?.contains("approved") == true)
        #expect(!String(decoding: Self.metadata("x").document(), as: UTF8.self).contains("individualName"))
    }

    @Test func `a contact is an address of mail or of a page`() throws {
        let mail = try MarkupParser.parse(Self.metadata("a@b.example").document(), file: "eml.xml")
        #expect(mail.first("dataset", "contact", "electronicMailAddress")?.text == "a@b.example")
        let page = try MarkupParser.parse(Self.metadata("https://b.example").document(), file: "eml.xml")
        #expect(page.first("dataset", "contact", "onlineUrl")?.text == "https://b.example")
    }
}
