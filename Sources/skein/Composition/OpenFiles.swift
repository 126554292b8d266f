import Glibc

/// The limit of open files, connections included.
enum OpenFiles {
    /// Raises the soft limit to the hard one: it is low by default for the sake of programs that use `select`, and
    /// beyond it connections are neither accepted nor logged.
    /// - Returns: the limit.
    static func raiseLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
