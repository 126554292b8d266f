/// An element of a small XML document: an archive's descriptor or its metadata. Names are without namespace prefixes.
struct MarkupElement: Sendable, Equatable {
    let name: String
    /// By name; namespace declarations are left out.
    let attributes: [String: String]
    /// The character data directly inside the element, joined.
    var text = ""
    var children: [MarkupElement] = []

    init(name: String, attributes: [String: String]) {
        (self.name, self.attributes) = (name, attributes)
    }

    /// The children called `name`, in order.
    func children(named name: String) -> [MarkupElement] {
        children.filter { $0.name == name }
    }

    /// The first element at the end of a path of names below this one.
    func first(_ path: String...) -> MarkupElement? {
        var element = self
        for name in path {
            guard let next = element.children.first(where: { $0.name == name }) else { return nil }
            element = next
        }
        return element
    }

    /// All character data inside the element, its descendants' included, in the order of the elements, with runs of
    /// white space made one space; nil when there is none.
    var flattenedText: String? {
        var texts: [String] = []
        var pending = [self]
        while let element = pending.popLast() {
            texts.append(element.text)
            pending.append(contentsOf: element.children.reversed())
        }
        let words = texts.joined(separator: " ").split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}

/// XML that cannot be read.
package struct MarkupError: Error, Equatable, CustomStringConvertible {
    /// The document's name.
    package let file: String
    /// The line, from 1, where reading stopped.
    package let line: Int
    /// What is wrong there.
    package let reason: String

    /// A sentence for the person who sent or loads the file.
    package var description: String { "\(file), line \(line): \(reason)" }
}
