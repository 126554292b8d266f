internal import Glibc

/// A C locale whose characters are UTF-8, for the calling thread and the length of one call.
///
/// libarchive converts names to the locale's characters and drops a name that has no such characters. The process's
/// locale is left alone: changing it is not safe with threads running.
enum UTF8Locale {
    // Made once and never changed or freed; `uselocale` only reads it.
    private nonisolated(unsafe) static let handle = newlocale(Int32(LC_CTYPE_MASK), "C.UTF-8", nil)

    /// Runs `body` in the locale; where the system has none, in the locale as it is.
    static func during<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let handle else { return try body() }
        let previous = uselocale(handle)
        defer { uselocale(previous) }
        return try body()
    }
}
