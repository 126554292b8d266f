/// How an import treats existing values.
package enum ListStanding: Sendable {
    /// Overwrites them.
    case replacing
    /// Only fills in missing values: the shipped lists are loaded at every start and must not overwrite
    /// an operator's.
    case beneath
}
