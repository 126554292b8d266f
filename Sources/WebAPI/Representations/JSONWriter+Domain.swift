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
}
