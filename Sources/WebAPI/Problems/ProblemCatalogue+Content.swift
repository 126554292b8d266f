internal import HTTPTypes

/// The catalogue's entries about what was sent, what it met, and the service itself.
extension ProblemType {
    var conflictEntry: ProblemEntry {
        switch self {
        case .emailTaken:
            ProblemEntry(
                .conflict, "The e-mail is taken", "Another account has this e-mail, in whatever case it is written.")
        case .withdrawn:
            ProblemEntry(
                .conflict, "The sighting was withdrawn",
                "The key was used for a sighting that has been withdrawn since. A new sighting needs a new key.")
        case .epochChanged:
            ProblemEntry(
                .conflict, "The log was restored since",
                "The position belongs to an earlier epoch of the log, which was restored from a backup or failed over "
                    + "since. Forget the positions and tags kept from before and read again without them.")
        case .preconditionFailed:
            ProblemEntry(
                .preconditionFailed, "The resource has changed",
                "The version in `If-Match` is not the present one. Read the resource, decide anew and send its `ETag`.")
        case .preconditionRequired:
            ProblemEntry(
                .preconditionRequired, "An If-Match is required",
                "A change says in `If-Match` which version it means: the `ETag` of the representation it was made on.")
        default:
            ProblemEntry(
                .conflict, "The request conflicts with the present state",
                "What the request asks for cannot be done to the resource as it is now; `detail` says why.")
        }
    }

    var contentEntry: ProblemEntry {
        switch self {
        case .contentTooLarge:
            ProblemEntry(
                .contentTooLarge, "The body is too large",
                "Bodies may have 64 KiB, a batch of sightings 1 MiB.", errors: ["NIOTooManyBytesError"])
        case .unsupportedMediaType:
            ProblemEntry(
                .unsupportedMediaType, "The media type is not supported",
                "Bodies are `application/json` in UTF-8; `PATCH` also takes `application/merge-patch+json`. "
                    + "`Accept` or `Accept-Patch` tells which.")
        case .idempotencyKeyReused:
            ProblemEntry(
                .unprocessableContent, "The key was used for another request",
                "A request with this `Idempotency-Key` and other content was carried out before. Take a new key.")
        case .positionInFuture:
            ProblemEntry(
                .unprocessableContent, "This moment is still to come",
                "`asOf` names a time in the future, of which nothing can be known yet.")
        default:
            ProblemEntry(
                .unprocessableContent, "The request breaks the rules",
                "The body is JSON but not a request that can be carried out. `errors` lists every fault at once, each "
                    + "with the JSON pointer of its value, a code for programs and the rule in words.",
                errors: ["Faults"])
        }
    }

    var serviceEntry: ProblemEntry {
        switch self {
        case .tooManyRequests:
            ProblemEntry(
                .tooManyRequests, "Too many requests",
                "The client or the account has used up its quota; `Retry-After` gives the seconds to wait, `RateLimit` "
                    + "and `RateLimit-Policy` the state of the quota and its size.")
        case .notImplemented:
            ProblemEntry(
                .notImplemented, "The method is not known", "No resource of this service has a method of that name.")
        case .unavailable:
            ProblemEntry(
                .serviceUnavailable, "The service is not available now",
                "Too much is waiting, the database cannot be reached, or the service is stopping. Send the request "
                    + "again after `Retry-After` seconds, with the same `Idempotency-Key`.",
                errors: ["CancellationError"])
        case .modelBehind:
            ProblemEntry(
                .serviceUnavailable, "The read model is behind",
                "The request asked in `Log-Position` to see its own write, and the read model had not reached it "
                    + "within two seconds. The write is safe; read again after `Retry-After` seconds.")
        default:
            ProblemEntry(
                .internalServerError, "Something went wrong",
                "A fault of the service. It is in the log under the id in `instance`.",
                errors: ["any error without an entry"])
        }
    }
}
