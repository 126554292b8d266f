/// What caches may do with an answer.
package enum CachePolicy: String, Sendable {
    /// Public representations: kept for five minutes, so that hiding and erasing act everywhere within that time.
    case publicFiveMinutes = "public, max-age=300, must-revalidate"
    /// What is somebody's own, and everything that is no representation.
    case privateNoStore = "private, no-store"
}
