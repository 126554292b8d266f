/// What a list is to what was said before it.
package enum ListStanding: Sendable {
    /// What it says holds from now on.
    case replacing
    /// It only adds what nobody has said yet: a list of the distribution comes back at every start, and must not undo
    /// an operator's.
    case beneath
}
