import Domain
import Foundation
import HTTPTypes
import JSON
import Testing

@testable import Web

struct OpenAPITests {
    private let document: OpenAPIDocument
    private let validator: SchemaValidator

    init() throws {
        document = try OpenAPIDocument()
        validator = SchemaValidator(document: document)
    }

    @Test func `every example fits its schema`() throws {
        var count = 0
        for (place, media) in try mediaTypes() {
            let schema = try #require(media["schema"], "\(place)")
            let examples = media["examples"]?.members ?? []
            // Bytes are not a readable example.
            #expect(
                !examples.isEmpty
                    || ["image/", "application/zip", "/partial-upload", "/octet-stream", "/exports/{id}/data"].contains
                    {
                        place.contains($0)
                    },
                "\(place) has no example")
            for example in examples {
                let value = try #require(try document.resolve(example.value)["value"], "\(place) \(example.name)")
                let faults = try validator.faults(value, schema)
                #expect(faults.isEmpty, "\(place) \(example.name)")
                count += 1
            }
        }
        #expect(count > 100)
    }

    @Test func `the words of reviews are those of the domain`() throws {
        func expect<Word: Vocabulary>(_: Word.Type, _ name: String) throws {
            let words = try document.schema(name)["enum"]?.items.compactMap(\.text)
            #expect(words == Word.allCases.map(\.rawValue), "\(name)")
        }
        try expect(PhotoReason.self, "PhotoReason")
        try expect(SightingReason.self, "SightingReason")
        try expect(FlagReason.self, "FlagReason")
        try expect(HidingReason.self, "HidingReason")
    }

    @Test func `every parameter's example fits its schema`() throws {
        for operation in document.operations {
            for parameter in operation.node["parameters"]?.items ?? [] {
                let parameter = try document.resolve(parameter)
                let schema = try #require(parameter["schema"])
                if let example = parameter["example"] {
                    #expect(
                        try validator.faults(example, schema).isEmpty, "\(operation.name) \(parameter["name"] as Any)")
                }
            }
        }
    }

    @Test func `every operation has an id, a summary, its parameters and other problems`() throws {
        var ids: Set<String> = []
        for operation in document.operations {
            let id = try #require(operation.node["operationId"]?.text)
            #expect(ids.insert(id).inserted, "\(id) appears twice")
            #expect(operation.node["summary"]?.text?.hasSuffix(".") == false, "\(operation.name)")
            let statuses = Set(operation.node["responses"]?.members.map(\.name) ?? [])
            #expect(statuses.contains("default"), "\(operation.name)")
            let names = try parameterNames(operation)
            for name in try pathParameters(operation) { #expect(names.contains(name), "\(operation.name) \(name)") }
        }
    }

    @Test func `problems in examples are those of the catalogue`() throws {
        var seen: Set<ProblemType> = []
        for (place, media) in try mediaTypes() where place.hasSuffix("application/problem+json") {
            for example in media["examples"]?.members ?? [] {
                let value = try #require(try document.resolve(example.value)["value"])
                let type = try #require(
                    value["type"]?.text.flatMap { slug in ProblemType.allCases.first { $0.uri == slug } })
                #expect(value["title"]?.text == type.title, "\(place) \(example.name)")
                #expect(value["status"] == .integer(type.status.code), "\(place) \(example.name)")
                seen.insert(type)
            }
        }
        #expect(seen.count > 20)
    }
}

extension OpenAPITests {
    /// Every media type of every body, with its place in the document.
    private func mediaTypes() throws -> [(String, JSONValue)] {
        try document.operations.flatMap { operation in
            var bodies = (operation.node["responses"]?.members ?? []).map { ("\(operation.name) \($0.name)", $0.value) }
            if let body = operation.node["requestBody"] { bodies.append(("\(operation.name) body", body)) }
            return try bodies.flatMap { place, body in
                (try document.resolve(body)["content"]?.members ?? []).map { ("\(place) \($0.name)", $0.value) }
            }
        }
    }

    private func parameterNames(_ operation: OpenAPIDocument.Operation) throws -> Set<String> {
        Set(try (operation.node["parameters"]?.items ?? []).compactMap { try document.resolve($0)["name"]?.text })
    }

    private func pathParameters(_ operation: OpenAPIDocument.Operation) throws -> [String] {
        operation.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }
}
