import Domain
import Foundation
import Testing

/// Nothing that a person typed can get into a payload: every value in it is of a type that cannot hold prose.
@Suite struct FreeTextTests {
    /// The types whose values end the walk: numbers, ids, codes, closed vocabularies, times.
    private func isHarmless(_ value: Any) -> Bool {
        switch value {
        case is Bool, is Int, is Double, is UUID: true
        case is any Identifier, is any Code, is any Vocabulary, is any BoundedInteger: true
        case is Instant, is CivilDate, is ObservationTime, is SensitivityCategory, is Place.Cell: true
        default: false
        }
    }

    /// Finds what is neither harmless nor made of harmless parts; published text is allowed where it is asked for.
    private func offenders(in value: Any, at path: String, allowingProse: Bool) -> [String] {
        if isHarmless(value) || (allowingProse && value is PublishedText) { return [] }
        if value is String || value is PublishedText || value is any TypedText {
            return ["\(path): \(type(of: value))"]
        }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional || mirror.displayStyle == .enum, mirror.children.isEmpty {
            return ["\(path): the sample leaves this out, so that the walk cannot see it"]
        }
        guard mirror.displayStyle == .collection || !mirror.children.isEmpty else {
            return ["\(path): unknown type \(type(of: value))"]
        }
        if mirror.displayStyle == .collection, mirror.children.isEmpty { return ["\(path): the sample is empty"] }
        return mirror.children.enumerated().flatMap { index, child in
            offenders(in: child.value, at: "\(path).\(child.label ?? String(index))", allowingProse: allowingProse)
        }
    }

    private func offenders(in events: [some DomainEvent], allowingProse: Bool = false) -> [String] {
        events.flatMap { event in
            // Of a redacted event nothing but its type, a closed set, is a string.
            event.type == redactedType(event)
                ? [] : offenders(in: event, at: event.type, allowingProse: allowingProse)
        }
    }

    private func redactedType(_ event: any DomainEvent) -> String? {
        Mirror(reflecting: event).children.lazy.compactMap { ($0.value as? RedactedEvent)?.type }.first
    }

    @Test func noPayloadHoldsFreeText() throws {
        #expect(offenders(in: try EveryEvent.account()) == [])
        #expect(offenders(in: try EveryEvent.dataset()) == [])
        #expect(offenders(in: try EveryEvent.sighting()) == [])
    }

    @Test func onlyTaxonEventsHoldPublishedText() throws {
        #expect(offenders(in: try EveryEvent.taxon(), allowingProse: true) == [])
        #expect(!offenders(in: try EveryEvent.taxon()).isEmpty)
    }

    @Test func theWalkNoticesFreeText() throws {
        #expect(offenders(in: [["typed"]], at: "list", allowingProse: true) == ["list.0.0: String"])
        #expect(offenders(in: [try Note("typed")], at: "list", allowingProse: true) == ["list.0: Note"])
        #expect(offenders(in: Int?.none as Any, at: "", allowingProse: true).count == 1)
    }
}
