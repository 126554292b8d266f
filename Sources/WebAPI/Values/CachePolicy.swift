/// The caching of a response.
package enum CachePolicy: String, Sendable {
    /// Public representations: kept for five minutes, so that hiding and erasing act everywhere within that time.
    case publicFiveMinutes = "public, max-age=300, must-revalidate"
    /// Private representations, and every response that is not a representation.
    case privateNoStore = "private, no-store"
}
