/// A correction of an optional value: leaves it, sets it or clears it.
///
/// In a payload, and in a JSON merge patch: absent, a value, null.
/// - Source: RFC 7396.
package enum Change<Value> {
    case unset
    case set(Value)
    case cleared

    /// The new value; nil if unset or cleared.
    package var value: Value? {
        guard case .set(let value) = self else { return nil }
        return value
    }

    /// Whether nothing changes.
    package var isUnset: Bool {
        guard case .unset = self else { return false }
        return true
    }

    /// The value after the change.
    package func applied(to old: Value?) -> Value? {
        switch self {
        case .unset: old
        case .set(let value): value
        case .cleared: nil
        }
    }

    /// The change with its value transformed.
    package func map<Other>(_ transform: (Value) -> Other) -> Change<Other> {
        switch self {
        case .unset: .unset
        case .set(let value): .set(transform(value))
        case .cleared: .cleared
        }
    }
}

extension Change {
    /// The initial value of something new; unset for nil.
    package init(initial value: Value?) {
        self = value.map(Change.set) ?? .unset
    }
}

extension Change where Value: Equatable {
    /// The difference between an old value and a new one.
    /// - Parameter isWhole: gives the new value even where it equals the old one.
    package init(from old: Value?, to new: Value?, isWhole: Bool = false) {
        if let new {
            self = new == old && !isWhole ? .unset : .set(new)
        } else {
            self = old == nil ? .unset : .cleared
        }
    }

    /// The change, or unset where it would not change the old value.
    package func real(against old: Value?) -> Change {
        isUnset ? .unset : Change(from: old, to: applied(to: old))
    }
}

extension Change: Equatable where Value: Equatable {}
extension Change: Hashable where Value: Hashable {}
extension Change: Sendable where Value: Sendable {}
