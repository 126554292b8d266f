import Domain
import FoundationEssentials
import JSON
import Postgres

/// Reading columns as values of the domain. NULL is nil; an invalid value is an error that names the column.
extension PostgresRow {
    /// The columns of a table `s` by their names: of a range its start, of a date its text.
    static func selection(_ columns: [String]) -> SQL {
        let dates: Set = ["local_from", "local_to"]
        let columns = columns.map {
            $0 == "valid" ? "lower(s.valid) as valid" : dates.contains($0) ? "s.\($0)::text" : "s.\($0)"
        }
        return SQL(unsafeText: columns.joined(separator: ", "))
    }

    func id<ID: Identifier>(_ column: String, as type: ID.Type = ID.self) throws(PostgresError) -> ID {
        ID(try decode(column, as: UUID.self))
    }

    func id<ID: Identifier>(optional column: String, as type: ID.Type = ID.self) throws(PostgresError) -> ID? {
        try decode(column, as: UUID?.self).map { ID($0) }
    }

    func word<Word: Vocabulary>(_ column: String, as type: Word.Type = Word.self) throws(PostgresError) -> Word? {
        guard let text = try decode(column, as: String?.self) else { return nil }
        guard let word = Word(rawValue: text) else { throw unfit(column, "\(Word.self)") }
        return word
    }

    func code<Value: Code>(_ column: String, as type: Value.Type = Value.self) throws(PostgresError) -> Value? {
        try decode(column, as: String?.self).map { Value(unchecked: $0) }
    }

    func category(_ column: String) throws(PostgresError) -> SensitivityCategory? {
        try decode(column, as: Int?.self).flatMap { SensitivityCategory(rawValue: $0) }
    }

    func bounded<Value: BoundedInteger>(_ column: String) throws(PostgresError) -> Value? {
        try decode(column, as: Int?.self).map { Value(unchecked: $0) }
    }

    func metres(_ column: String) throws(PostgresError) -> UncertaintyMetres? {
        guard let metres = try decode(column, as: Double?.self) else { return nil }
        guard let uncertainty = try? UncertaintyMetres(metres) else { throw unfit(column, "UncertaintyMetres") }
        return uncertainty
    }

    func date(_ column: String) throws(PostgresError) -> CivilDate? {
        try parsed(column) { (text) throws(RuleViolation) in try CivilDate(text) }
    }

    func observationTime(_ column: String) throws(PostgresError) -> ObservationTime? {
        try parsed(column) { (text) throws(RuleViolation) in try ObservationTime(text) }
    }

    /// The week that begins on a day, given as text.
    func week(_ monday: String) throws(PostgresError) -> ISOWeek {
        guard let date = try? CivilDate(try decode(monday, as: String.self)) else { throw unfit(monday, "date") }
        return ISOWeek(of: date)
    }

    func instant(_ column: String) throws(PostgresError) -> Instant? {
        try decode(column, as: Date?.self).map { Instant($0) }
    }

    func coordinate() throws(PostgresError) -> Coordinate? {
        guard let latitude = try decode("latitude", as: Double?.self),
            let longitude = try decode("longitude", as: Double?.self)
        else { return nil }
        return Coordinate(uncheckedLatitude: latitude, longitude: longitude)
    }

    /// An array in JSON; NULL is empty.
    func list<Value: PayloadValue>(_ column: String) throws(PostgresError) -> [Value] {
        guard let json = try decode(column, as: PostgresJSON?.self) else { return [] }
        guard case .array(let items)? = try? JSONValue(parsing: Array(json.text.utf8)) else {
            throw unfit(column, "array")
        }
        var values: [Value] = []
        for item in items {
            guard let value = try? Value(payload: item) else { throw unfit(column, "\(Value.self)") }
            values.append(value)
        }
        return values
    }

    /// An object in JSON.
    func value<Value: PayloadValue>(
        _ column: String, as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value? {
        guard let json = try decode(column, as: PostgresJSON?.self) else { return nil }
        guard let object = try? JSONValue(parsing: Array(json.text.utf8)), let value = try? Value(payload: object)
        else {
            throw unfit(column, "\(Value.self)")
        }
        return value
    }

    func visit(_ column: String) throws(PostgresError) -> Visit? {
        try value(column)
    }

    /// A column that is NULL only where a row is broken.
    func required<Value>(_ value: Value?, _ column: String) throws(PostgresError) -> Value {
        guard let value else { throw unfit(column, "\(Value.self)") }
        return value
    }

    private func parsed<Value>(
        _ column: String, _ parse: (String) throws(RuleViolation) -> Value
    ) throws(PostgresError) -> Value? {
        guard let text = try decode(column, as: String?.self) else { return nil }
        do throws(RuleViolation) {
            return try parse(text)
        } catch {
            throw unfit(column, "\(Value.self)")
        }
    }

    private func unfit(_ column: String, _ type: String) -> PostgresError {
        PostgresError(.decoding, "column \(column) holds no \(type)")
    }
}
