/// The name under which an observer's public records appear.
package enum Attribution: String, Vocabulary {
    case displayName
    case anonymous
}
