import Domain
import Foundation
import Testing

/// Nothing that a person typed can get into a payload: every value in it is of a type that cannot hold prose.
struct FreeTextTests {
    /// The types whose values end the walk: numbers, ids, codes, closed vocabularies, times.
    private static func isHarmless(_ value: Any) -> Bool {
        switch value {
        case is Bool, is Int, is Double, is UUID: true
        case is any Identifier, is any Code, is any Vocabulary, is any BoundedInteger: true
        case is Instant, is CivilDate, is ObservationTime, is SensitivityCategory, is Place.Cell: true
        default: false
        }
    }

    /// Finds what is neither harmless nor made of harmless parts; published text is allowed where it is asked for.
    private struct Walk {
        var allowingProse = false
        var offences: [String] = []
        /// Members that some value of the samples holds, by type and name.
        var held: Set<String> = []
        /// Members without a value, and where that was.
        var missing: [String: String] = [:]

        /// A member that no sample holds cannot have been looked at.
        var all: [String] {
            offences + missing.filter { !held.contains($0.key) }.values.sorted().map { "\($0): no sample has it" }
        }

        mutating func visit(_ value: Any, at path: String, member: String) {
            if FreeTextTests.isHarmless(value) || (allowingProse && value is PublishedText) {
                held.insert(member)
                return
            }
            if value is String || value is PublishedText || value is any TypedText {
                return offences.append("\(path): \(type(of: value))")
            }
            let mirror = Mirror(reflecting: value)
            let style = mirror.displayStyle
            if mirror.children.isEmpty {
                // The payload of an event that says no more than its type.
                if value is any EventBody { return }
                if style == .optional || style == .enum || style == .collection {
                    missing[member] = path
                } else {
                    offences.append("\(path): unknown type \(type(of: value))")
                }
                return
            }
            held.insert(member)
            for (index, child) in mirror.children.enumerated() {
                let label = child.label ?? String(index)
                visit(child.value, at: "\(path).\(label)", member: "\(type(of: value)).\(label)")
            }
        }
    }

    private func offenders(in value: Any, at path: String, allowingProse: Bool) -> [String] {
        var walk = Walk(allowingProse: allowingProse)
        walk.visit(value, at: path, member: path)
        return walk.all
    }

    private func offenders(in events: [any DomainEvent], allowingProse: Bool = false) -> [String] {
        var walk = Walk(allowingProse: allowingProse)
        // The only string of a redacted event is its type, from a closed set.
        for event in events where event.type != redactedType(event) {
            walk.visit(event, at: event.type, member: event.type)
        }
        return walk.all
    }

    private func redactedType(_ event: any DomainEvent) -> String? {
        Mirror(reflecting: event).children.lazy.compactMap { ($0.value as? RedactedEvent)?.type }.first
    }

    @Test(arguments: StreamKind.allCases)
    func `no payload holds free text, and only those of taxa hold published text`(stream: StreamKind) throws {
        let events = try EveryEvent.events(of: stream)
        #expect(offenders(in: events, allowingProse: stream == .taxon) == [])
        #expect(offenders(in: events).isEmpty == (stream != .taxon))
    }

    @Test func `the walk notices free text`() throws {
        #expect(offenders(in: [["typed"]], at: "list", allowingProse: true) == ["list.0.0: String"])
        #expect(offenders(in: [try Note("typed")], at: "list", allowingProse: true) == ["list.0: Note"])
        #expect(offenders(in: Int?.none as Any, at: "", allowingProse: true).count == 1)
    }
}
