import Foundation
import FoundationXML

/// The texts of the elements of an S3 response, by name. The responses read here are shallow.
struct S3Document: Equatable {
    private(set) var root = ""
    private var texts: [String: [String]] = [:]

    /// Empty if the data is not XML.
    init(_ data: Data) {
        let reader = Reader()
        let parser = XMLParser(data: data)
        parser.delegate = reader
        guard parser.parse() else { return }
        (root, texts) = (reader.root, reader.texts)
    }

    func all(_ name: String) -> [String] { texts[name] ?? [] }
    func first(_ name: String) -> String? { texts[name]?.first }

    private final class Reader: NSObject, XMLParserDelegate {
        var root = ""
        var texts: [String: [String]] = [:]
        private var text = ""

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            if root.isEmpty { root = name }
            text = ""
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) {
            texts[name, default: []].append(text)
            text = ""
        }
    }
}
