import Foundation
import JSON
import Yams

@testable import WebAPI

/// `openapi.yaml` as a tree, with its references.
struct OpenAPIDocument {
    let root: JSONValue

    /// Read once: it takes a second.
    private static let file = Result {
        try node(try Yams.load(yaml: try String(contentsOf: ProjectFile.url("openapi.yaml"), encoding: .utf8)))
    }

    init() throws {
        root = try Self.file.get()
    }

    /// One method of one path.
    struct Operation {
        let method: String
        let path: String
        let node: JSONValue
        var name: String { "\(method) \(path)" }
    }

    var operations: [Operation] {
        let methods: Set = ["get", "put", "post", "patch", "delete", "options", "head", "trace"]
        return (root["paths"]?.members ?? []).flatMap { path in
            path.value.members.filter { methods.contains($0.name) }.map {
                Operation(method: $0.name.uppercased(), path: path.name, node: $0.value)
            }
        }
    }

    /// The schema of this name.
    func schema(_ name: String) throws -> JSONValue {
        try resolve(.object([JSONMember("$ref", .string("#/components/schemas/\(name)"))]))
    }

    /// Follows references until there is none.
    func resolve(_ node: JSONValue) throws -> JSONValue {
        guard case .string(let reference)? = node["$ref"] else { return node }
        guard reference.hasPrefix("#/") else { throw UnknownReference(reference) }
        let target = reference.dropFirst(2).split(separator: "/").reduce(root as JSONValue?) { $0?[String($1)] }
        guard let target else { throw UnknownReference(reference) }
        return try resolve(target)
    }

    struct UnknownReference: Error {
        let reference: String
        init(_ reference: String) { self.reference = reference }
    }

    struct NotJSON: Error {
        let type: String
    }

    private static func node(_ value: Any?) throws -> JSONValue {
        switch value {
        case nil, is NSNull: .null
        case let value as Bool: .boolean(value)
        case let value as Int: .integer(value)
        case let value as Double: .number(value)
        case let value as String: .string(value)
        case let value as [Any]: .array(try value.map(node))
        case let value as [String: Any]:
            .object(try value.sorted { $0.key < $1.key }.map { JSONMember($0.key, try node($0.value)) })
        default: throw NotJSON(type: "\(Swift.type(of: value))")
        }
    }
}

extension JSONValue {
    /// The text of a string.
    var text: String? { string }

    /// The word by which messages call the value's type.
    var typeName: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
