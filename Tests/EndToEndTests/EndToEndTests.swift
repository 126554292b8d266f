import Testing

/// The service as its users meet it: the program itself, its own PostgreSQL, real HTTP. Tests are in files by theme.
@Suite("From one end to the other", .served)
struct EndToEndTests {}
