import Domain
import JSON
import Service
import Web

// The bodies of submissions and corrections. All faults are found at once.
extension SightingRequest {
    /// Reads a submission.
    /// - Parameters:
    ///   - place: the JSON pointer of the submission in the request.
    ///   - implausible: returns the faults of its times. Called only if there is another fault: the service decides on
    ///     a well-formed submission, which may be a retry.
    /// - Throws: `Faults`.
    init(
        _ node: JSONValue, isStrict: Bool, at place: String = "", implausible: (SightingRequest) -> Faults
    ) throws(Faults) {
        self.init()
        self.isStrict = isStrict
        var body = SightingBody(JSONObjectReader(node, at: place), isPatch: false)
        read(&body)
        body.checkTogether(latitude, longitude)
        let isNamed = ["taxonId", "name", "targetId"].contains { node[$0].map { $0 != .null } ?? false }
        if !isNamed { body.json.note("name", .required) }
        do throws(Faults) {
            try body.json.finish()
        } catch {
            throw error + implausible(self).at(place)
        }
    }

    /// Reads a merge patch.
    /// - Throws: `Faults`.
    init(patch node: JSONValue, isStrict: Bool) throws(Faults) {
        self.init()
        self.isStrict = isStrict
        var body = SightingBody(JSONObjectReader(node), isPatch: true)
        read(&body)
        try body.json.finish()
    }

    private mutating func read(_ body: inout SightingBody) {
        changes.confidence = body.value("confidence", Int.self, isRequired: true, Confidence.init(_:))
        observedAt = body.value("observedAt", String.self, isRequired: true, ObservationTime.init(_:))
        latitude = body.value("latitude", Double.self, isRequired: true, Coordinate.checkedLatitude)
        longitude = body.value("longitude", Double.self, isRequired: true, Coordinate.checkedLongitude)
        taxon = body.change("taxonId", String.self, TaxonID.init(text:))
        name = body.change("name", String.self, VerbatimName.init(_:))
        let areBoth =
            body.isPatch
            ? body.json.contains("taxonId") && body.json.contains("name") : taxon.value != nil && name.value != nil
        if areBoth { body.json.note("name", RuleViolation(.conflict, "must not be given beside taxonId")) }
        changes.count = body.change("count", Int.self, isRequired: true, IndividualCount.init(_:))
        changes.uncertainty = body.change("uncertaintyMetres", Double.self, UncertaintyMetres.init(_:))
        notes = body.change("notes", String.self, Note.init(_:))
        changes.licence = Change(initial: body.value("licence", String.self, Licence.init(word:)))
        changes.geoprivacy = body.value("geoprivacy", String.self, Geoprivacy.init(word:))
        changes.captive = body.value("captive", Bool.self) ?? (body.isPatch ? nil : false)
        changes.visit = body.visit()
        changes.surveyProtocol = body.value("protocol", String.self, SurveyProtocol.init(word:))
        if !body.isPatch { readSubmission(&body) }
    }

    private mutating func readSubmission(_ body: inout SightingBody) {
        awaitedPhotos = body.awaitedPhotos()
        target = body.json.optional("targetId", String.self) { (text) throws(RuleViolation) in try TargetID(text: text)
        }
        if target != nil, taxon.value != nil || name.value != nil {
            body.json.note("targetId", RuleViolation(.conflict, "must not be given beside taxonId or name"))
        }
    }
}

/// Members of a submission, where null is the same as absence, or of a merge patch, where it clears the value.
/// - Source: RFC 7396.
private struct SightingBody {
    var json: JSONObjectReader
    let isPatch: Bool

    /// The SHA-256 of the photos that will follow, as many as a sighting may have.
    mutating func awaitedPhotos() -> [Fingerprint] {
        json.optionalWords("awaitedPhotos", count: 0...10) { (text) throws(RuleViolation) in
            guard text.utf8.count == 64, let digest = try? Fingerprint(text) else {
                throw RuleViolation(.format, "must be a SHA-256 in 64 lower-case hexadecimal digits")
            }
            return digest
        } ?? []
    }

    init(_ json: JSONObjectReader, isPatch: Bool) {
        self.json = json
        self.isPatch = isPatch
    }

    /// A member that a patch cannot clear.
    /// - Parameter isRequired: whether a submission must have it, and not as null.
    mutating func value<Given: FieldValue, Value>(
        _ name: String, _ type: Given.Type, isRequired: Bool = false,
        _ make: (Given) throws(RuleViolation) -> Value
    ) -> Value? {
        if isPatch { return json.replacement(name, type, make) }
        return isRequired ? json.required(name, type, make) : json.optional(name, type, make)
    }

    /// A member that a patch can clear.
    /// - Parameter isRequired: whether a submission must have it; null counts.
    mutating func change<Given: FieldValue, Value>(
        _ name: String, _ type: Given.Type, isRequired: Bool = false,
        _ make: (Given) throws(RuleViolation) -> Value
    ) -> Change<Value> {
        if isPatch { return json.change(name, type, make) }
        return Change(initial: isRequired ? json.nullable(name, type, make) : json.optional(name, type, make))
    }

    /// ``value(_:_:isRequired:_:)`` without a rule beyond the type.
    mutating func value<Given: FieldValue>(_ name: String, _ type: Given.Type) -> Given? {
        value(name, type) { (given) throws(RuleViolation) in given }
    }

    /// Notes a violation of the two together at the latitude.
    mutating func checkTogether(_ latitude: Double?, _ longitude: Double?) {
        guard let latitude, let longitude else { return }
        do throws(RuleViolation) {
            _ = try Coordinate(latitude: latitude, longitude: longitude)
        } catch {
            json.note("latitude", error)
        }
    }

    mutating func visit() -> Change<Visit> {
        isPatch ? json.objectChange("visit") { $0.visit() } : Change(initial: json.object("visit") { $0.visit() })
    }
}

extension JSONObjectReader {
    fileprivate mutating func visit() -> Visit? {
        let id = required("id", String.self, VisitID.init(text:))
        let startedAt = required("startedAt", String.self, Instant.init(_:))
        let minutes = optional("minutes", Int.self)
        let distanceKm = optional("distanceKm", Double.self)
        let observers = optional("observers", Int.self)
        let complete = optional("complete", Bool.self)
        guard let id, let startedAt else { return nil }
        do throws(Faults) {
            return try Visit(
                id: id, startedAt: startedAt, minutes: minutes, distanceKm: distanceKm, observers: observers,
                complete: complete)
        } catch {
            for fault in error.all { note(String(fault.pointer.dropFirst()), RuleViolation(fault.code, fault.message)) }
            return nil
        }
    }
}
