/// Why an access token was not issued or not accepted.
package enum AccessTokenFailure: Error, Hashable, Sendable {
    /// It is no token of ours: its form, its key or its signature is wrong.
    case invalid
    /// It ran out.
    case expired
    /// Its session has ended.
    case revoked
    /// No key is in force long enough to sign with.
    case noSigningKey
}
