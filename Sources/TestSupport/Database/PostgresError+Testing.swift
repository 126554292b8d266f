package import Postgres
import Testing

/// A test that fails for what the database said prints all that is known: its neutral sentence names no cause.
extension PostgresError: CustomTestStringConvertible {
    package var testDescription: String { debugDescription }
}
