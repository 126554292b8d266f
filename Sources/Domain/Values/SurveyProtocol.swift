/// How the observer was looking when the sighting was made.
package enum SurveyProtocol: String, Vocabulary {
    /// While doing something else.
    case incidental
    /// Watching from one place.
    case stationary
    /// Watching along a route.
    case travelling
    /// Looking for this taxon.
    case target
}
