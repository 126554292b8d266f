internal import Crypto
package import Domain

extension Reservation {
    /// SHA-256 of the text in UTF-8, 32 bytes: what stands in the vault instead of the text.
    package var digest: [UInt8] {
        Array(SHA256.hash(data: Array(text.utf8)))
    }

    /// An e-mail address; addresses that differ only in case are one.
    package static func email(_ address: EmailAddress) -> Reservation {
        Reservation(kind: .email, text: address.comparable)
    }
}
