import Bytes

/// Reads `meta.xml`.
struct ArchiveDescriptorReader {
    private let file: String

    /// Reads the descriptor in `document`; `file` is its name for messages. An extension with a fault is left out.
    ///
    /// - Throws: `MarkupError`; `DarwinCoreArchiveError.faultyDescriptor`; `TextEncodingError.unsupported`.
    static func read(_ document: [UInt8], file: String) throws -> ArchiveDescriptor {
        let root = try MarkupParser.parse(document, file: file)
        return try ArchiveDescriptorReader(file: file).descriptor(of: root)
    }

    private func descriptor(of root: MarkupElement) throws -> ArchiveDescriptor {
        guard root.name == "archive" else { throw fault("<archive> is expected, not <\(root.name)>") }
        let cores = root.children(named: "core")
        guard let core = cores.first, cores.count == 1 else { throw fault("exactly one <core> is expected") }
        let extensions = root.children(named: "extension").map { element in
            Result { try table(of: element, idElement: "coreid") }
        }
        let faults = extensions.lazy.compactMap { if case .failure(let fault) = $0 { fault } else { nil } }
        return ArchiveDescriptor(
            metadataFile: root.attributes["metadata"]?.trimmed,
            core: try table(of: core, idElement: "id"),
            extensions: extensions.compactMap { try? $0.get() }, extensionFault: faults.first)
    }

    private func table(of element: MarkupElement, idElement: String) throws -> ArchiveTable {
        let files = (element.first("files")?.children(named: "location") ?? []).compactMap(\.flattenedText)
        guard !files.isEmpty else { throw fault("<\(element.name)> names no file in <files><location>") }
        let id = try element.first(idElement).flatMap { try index(of: $0) }
        if element.name == "extension" && id == nil { throw fault("<extension> needs a <coreid> with an index") }
        return ArchiveTable(
            rowType: element.attributes["rowType"].map { $0.trimmed },
            files: files,
            encoding: try encoding(of: element),
            delimiter: try byte(of: element, attribute: "fieldsTerminatedBy"),
            quote: try quote(of: element),
            lineEnd: try lineEnd(of: element),
            ignoredLines: try number(element.attributes["ignoreHeaderLines"], name: "ignoreHeaderLines") ?? 0,
            idIndex: id,
            fields: try fields(of: element))
    }

    private func fields(of element: MarkupElement) throws -> [ArchiveField] {
        var seen: Set<String> = []
        return try element.children(named: "field").compactMap { field in
            guard let term = field.attributes["term"]?.trimmed, !term.isEmpty else {
                throw fault("a <field> of <\(element.name)> has no term")
            }
            guard seen.insert(term).inserted else { throw fault("<\(element.name)> has the term \(term) twice") }
            let index = try index(of: field)
            let defaultValue = field.attributes["default"]
            // A field with neither has no value in any row; real archives have such fields.
            guard index != nil || defaultValue != nil else { return nil }
            return ArchiveField(term: term, index: index, defaultValue: defaultValue)
        }
    }

    private func index(of element: MarkupElement) throws -> Int? {
        let index = try number(element.attributes["index"], name: "index of <\(element.name)>")
        let limit = DelimitedLimits().columns
        if let index, index >= limit { throw fault("an index of \(index); at most \(limit) columns can be read") }
        return index
    }

    private func number(_ text: String?, name: String) throws -> Int? {
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        guard let number = Int(text), number >= 0 else { throw fault("\(name) is \"\(text)\", not a number from 0") }
        return number
    }

    private func encoding(of element: MarkupElement) throws -> TextEncoding? {
        guard let label = element.attributes["encoding"]?.trimmed, !label.isEmpty else { return nil }
        guard let encoding = TextEncoding(label: label) else {
            throw TextEncodingError.unsupported(file: "\(file), <\(element.name)>", encoding: label)
        }
        return encoding
    }

    /// The default of the text guide is the double quote; an empty value says that nothing is enclosed.
    private func quote(of element: MarkupElement) throws -> UInt8? {
        guard element.attributes["fieldsEnclosedBy"] != nil else { return UInt8(ascii: "\"") }
        return try byte(of: element, attribute: "fieldsEnclosedBy")
    }

    private func lineEnd(of element: MarkupElement) throws -> DelimitedDialect.LineEnd {
        guard let text = element.attributes["linesTerminatedBy"] else { return .automatic }
        switch Self.unescaped(text) {
        case "\n", "\r\n": return .lineFeed
        case "\r": return .anyOf
        case "": return .automatic
        default: throw fault("linesTerminatedBy is \"\(text)\"; only \\n, \\r\\n and \\r can be read")
        }
    }

    private func byte(of element: MarkupElement, attribute: String) throws -> UInt8? {
        guard let text = element.attributes[attribute], !text.isEmpty else { return nil }
        let bytes = Array(Self.unescaped(text).utf8)
        guard let byte = bytes.first, bytes.count == 1, byte < 0x80, ![0x00, 0x0A, 0x0D].contains(byte) else {
            throw fault("\(attribute) is \"\(text)\"; one ASCII character is expected")
        }
        return byte
    }

    private static func unescaped(_ text: String) -> String {
        var (result, isEscaped) = ("", false)
        for character in text {
            switch (isEscaped, character) {
            case (false, "\\"): isEscaped = true
            case (false, _): result.append(character)
            case (true, "t"): (result, isEscaped) = (result + "\t", false)
            case (true, "n"): (result, isEscaped) = (result + "\n", false)
            case (true, "r"): (result, isEscaped) = (result + "\r", false)
            case (true, _): (result, isEscaped) = (result + String(character), false)
            }
        }
        return isEscaped ? result + "\\" : result
    }

    private func fault(_ reason: String) -> DarwinCoreArchiveError {
        .faultyDescriptor(file: file, reason: reason)
    }
}
