import CMalloc

/// glibc's allocator, set up for a process that needs much while it starts and little afterwards.
enum Heap {
    /// Maps blocks of a mebibyte and more each by itself, so that freeing one gives it back to the system. Left alone,
    /// glibc raises that limit with the first large block it frees, and keeps what loading the reference data took.
    /// Each arena keeps up to 4 MiB of freed smaller blocks: the system need not clear new pages for each large answer.
    static func configure() {
        _ = mallopt(M_MMAP_THRESHOLD, 1 << 20)
        _ = mallopt(M_TRIM_THRESHOLD, 4 << 20)
    }

    /// Gives free pages back to the system.
    static func trim() {
        _ = malloc_trim(0)
    }
}
