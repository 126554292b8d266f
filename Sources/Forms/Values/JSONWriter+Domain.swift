package import Domain
import JSON

// Members that are values of the domain; null where there is none.
extension JSONWriter {
    package mutating func field(_ name: StaticString, _ id: (some Identifier)?) {
        field(name, id?.uuid)
    }

    package mutating func field(_ name: StaticString, _ code: (some Code)?) {
        field(name, code?.text)
    }

    package mutating func field(_ name: StaticString, _ word: (some Vocabulary)?) {
        field(name, word?.rawValue)
    }

    package mutating func field(_ name: StaticString, _ number: (some BoundedInteger)?) {
        field(name, number?.value)
    }

    /// An array of words.
    package mutating func field(_ name: StaticString, _ words: [some Vocabulary]) {
        field(name, words.map(\.rawValue))
    }

    /// An array of ids.
    package mutating func field(_ name: StaticString, _ ids: [some Identifier]) {
        field(name, ids.map(\.description))
    }

    /// An array of strings.
    private mutating func field(_ name: StaticString, _ texts: [String]) {
        key(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
    }
}
