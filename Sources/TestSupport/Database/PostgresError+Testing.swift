package import Postgres
import Testing

/// A test that fails for what the database said prints all that is known: the neutral sentences name no cause.
extension PostgresError: CustomTestStringConvertible {
    package var testDescription: String { debugDescription }
}

extension PostgresTransactionError: CustomTestStringConvertible {
    package var testDescription: String { debugDescription }
}
