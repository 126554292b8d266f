import Testing

@testable import Exchange

struct MarkupTests {
    private func parse(_ text: String) throws -> MarkupElement {
        try MarkupParser.parse(Array(text.utf8), file: "test.xml")
    }

    @Test func `elements attributes and text`() throws {
        let root = try parse(
            """
            <?xml version="1.0"?>
            <!-- <not this> -->
            <a:archive xmlns:a="urn:a" xmlns='urn:b' a:x="1" y='a "b" &lt;&#x41;&#66;'>
              <core/>one<core k = "2">t<b>w</b>o<![CDATA[<&]]></core ></a:archive>
            """)
        #expect(root.name == "archive")
        #expect(root.attributes == ["x": "1", "y": "a \"b\" <AB"])
        #expect(root.children(named: "core").map(\.text) == ["", "to<&"])
        #expect(root.flattenedText == "one to<& w")
        #expect(root.first("core", "b") == nil)
        #expect(root.children.last?.first("b")?.text == "w")
    }

    @Test func `white space in attributes is spaces unless it is a reference`() throws {
        #expect(try parse("<a b='x\ty&#9;z\n'/>").attributes["b"] == "x y\tz ")
    }

    @Test func `encodings`() throws {
        let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE9] + Array("</a>".utf8)
        #expect(try MarkupParser.parse(latin, file: "test.xml").text == "é")
        #expect(try MarkupParser.parse([0xEF, 0xBB, 0xBF] + Array("<a>é</a>".utf8), file: "test.xml").text == "é")
        #expect(throws: TextEncodingError.unsupported(file: "test.xml", encoding: "Shift_JIS")) {
            try parse("<?xml version='1.0' encoding='Shift_JIS'?><a/>")
        }
        #expect(throws: MarkupError(file: "test.xml", line: 2, reason: "not valid UTF-8")) {
            try MarkupParser.parse(Array("<a>\n".utf8) + [0xE9] + Array("</a>".utf8), file: "test.xml")
        }
    }

    @Test(arguments: [
        "", "  ", "text", "<a>", "<a></b>", "<a/><b/>", "<a/>x", "<a b></a>", "<a b=c/>", "<a b='1' b='2'/>",
        "<a b='1'c='2'/>",
        "<a b='<'/>", "<a>&nbsp;</a>", "<a>&</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&#-1;</a>", "<!-- <a/>",
        "<a><![CDATA[</a>",
        "<?xml", "</a>", "<1a/>", "<a", "<a b='1", "<!DOCTYPE a><a/>",
        "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "<a>\u{0}&#x110000;</a>",
    ])
    func `malformed documents are errors`(_ text: String) {
        #expect(throws: MarkupError.self) { try parse(text) }
    }

    @Test func `nesting is limited`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(try parse(nested(MarkupParser.maximumDepth)).name == "a")
        #expect(throws: MarkupError.self) { try parse(nested(MarkupParser.maximumDepth + 1)) }
        #expect(throws: MarkupError.self) { try parse(String(repeating: "<a>", count: 200_000)) }
    }

    @Test func `the line is named`() {
        #expect(throws: MarkupError(file: "test.xml", line: 3, reason: "</b> closes an element that is not open")) {
            try parse("<a>\n\n</b></a>")
        }
    }
}

struct ArchiveDescriptorTests {
    private func read(_ core: String, attributes: String = "") throws -> ArchiveDescriptor {
        let text = "<archive metadata='eml.xml'><core \(attributes)>\(core)</core></archive>"
        return try ArchiveDescriptorReader.read(Array(text.utf8), file: "meta.xml")
    }

    private let files = "<files><location>a.txt</location></files>"

    @Test func `defaults of the text guide`() throws {
        let core = try read(files + "<field index='1' term='http://rs.tdwg.org/dwc/terms/sex'/>").core
        #expect(core.quote == 0x22 && core.delimiter == nil && core.ignoredLines == 0 && core.idIndex == nil)
        #expect(core.lineEnd == .automatic && core.encoding == nil && core.holdsOccurrences)
        #expect(core.fields.map(\.name) == ["sex"])
        #expect(core.neededColumns == 2)
    }

    @Test func `everything declared`() throws {
        let attributes = """
            rowType="http://rs.tdwg.org/dwc/terms/Taxon" encoding="ISO-8859-1" fieldsTerminatedBy="\\t"
            fieldsEnclosedBy="&quot;" linesTerminatedBy="\\r\\n" ignoreHeaderLines="2"
            """
        let fields = """
            <id index="3"/><field index="0" term="t/a" default="x"/><field term="t/b" default="y"/><field term="t/c"/>
            """
        let descriptor = try read(
            "<files><location>a.txt</location><location> b.txt </location></files>" + fields, attributes: attributes)
        let core = descriptor.core
        #expect(descriptor.metadataFile == "eml.xml")
        #expect(core.files == ["a.txt", "b.txt"] && core.rowTypeName == "Taxon" && !core.holdsOccurrences)
        #expect(core.encoding == .windows1252 && core.delimiter == 9 && core.quote == 0x22 && core.lineEnd == .lineFeed)
        #expect(core.ignoredLines == 2 && core.idIndex == 3 && core.neededColumns == 4)
        #expect(
            core.fields == [
                .init(term: "t/a", index: 0, defaultValue: "x"), .init(term: "t/b", index: nil, defaultValue: "y"),
            ])
    }

    @Test(arguments: [
        ("", "<core> names no file in <files><location>"),
        ("F<field index='0'/>", "a <field> of <core> has no term"),
        ("F<field index='-1' term='a'/>", "index of <field> is \"-1\", not a number from 0"),
        ("F<field index='99999' term='a'/>", "an index of 99999; at most 10000 columns can be read"),
        ("F<field index='0' term='a'/><field index='1' term='a'/>", "<core> has the term a twice"),
    ])
    func `faults`(_ core: String, reason: String) {
        #expect(throws: DarwinCoreArchiveError.faultyDescriptor(file: "meta.xml", reason: reason)) {
            try read(core.replacing("F", with: files))
        }
    }

    @Test(arguments: [
        "fieldsTerminatedBy='||'", "fieldsTerminatedBy='é'", "fieldsTerminatedBy='\\n'", "fieldsEnclosedBy='ab'",
        "linesTerminatedBy='|'", "ignoreHeaderLines='one'",
    ])
    func `attributes that cannot be read`(_ attributes: String) {
        #expect(throws: DarwinCoreArchiveError.self) { try read(files, attributes: attributes) }
    }

    @Test(arguments: ["<archive/>", "<archive><core/><core/></archive>", "<data/>"])
    func `documents that are no descriptor`(_ text: String) {
        #expect(throws: DarwinCoreArchiveError.self) {
            try ArchiveDescriptorReader.read(Array(text.utf8), file: "meta.xml")
        }
    }
}

struct DatasetMetadataTests {
    private func read(_ dataset: String, after: String = "") throws -> DatasetMetadata {
        try DatasetMetadata(
            eml: Array("<e:eml xmlns:e='e'><dataset>\(dataset)</dataset>\(after)</e:eml>".utf8), file: "eml.xml")
    }

    @Test func `everything`() throws {
        let rights = """
            <intellectualRights><para>This work is under a
            <ulink url="http://creativecommons.org/licenses/by/4.0/legalcode">
            <citetitle>CC BY</citetitle></ulink>.</para></intellectualRights>
            """
        let metadata = try read(
            "<title xml:lang='eng'> Wrens\n of Alaska </title>"
                + "<creator><organizationName>USGS</organizationName></creator>"
                + rights,
            after:
                "<additionalMetadata><metadata><gbif><citation>Wrens. USGS.</citation></gbif></metadata>"
                + "</additionalMetadata>"
        )
        #expect(metadata.title == "Wrens of Alaska")
        #expect(metadata.licence == "http://creativecommons.org/licenses/by/4.0/legalcode")
        #expect(metadata.publisher == "USGS")
        #expect(metadata.citation == "Wrens. USGS.")
    }

    @Test func `other places`() throws {
        let metadata = try read(
            "<creator><organizationName>A</organizationName></creator>"
                + "<publisher><organizationName>B</organizationName></publisher>"
                + "<licensed><licenseName>CC0</licenseName><url>https://cc0</url></licensed>")
        #expect(metadata.publisher == "B" && metadata.licence == "https://cc0" && metadata.title == nil)
        #expect(
            try read("<intellectualRights><para>Public  domain</para></intellectualRights>").licence == "Public domain")
        #expect(try read("").licence == nil)
    }
}
