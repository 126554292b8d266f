package import Service
package import Web

extension MapTimeout: ProblemConvertible {
    /// 503. It counts: whoever asks for such maps again and again occupies the turns of others.
    package var problem: ProblemDetails { .unavailable(isOwn: true) }
}
