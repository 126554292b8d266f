import FoundationEssentials
import Glibc

/// Folders with the owner and mode they must have, whoever else can write beside them.
enum Folder {
    /// Creates the folder with exactly this mode if it is missing. An existing folder is left unchanged; anything else
    /// at the path is an error.
    static func make(_ path: String, mode: mode_t, parents: Bool = false) throws(PrivateServerError) {
        if parents, let parent = parent(of: path), owner(of: parent) == nil {
            try make(parent, mode: 0o755, parents: true)
        }
        if mkdir(path, mode) == 0 {
            // Not what the umask left of it: a home that the server's user cannot pass through is of no use.
            guard chmod(path, mode) == 0 else { throw failure(path) }
        } else if errno != EEXIST {
            throw failure(path)
        } else if !isFolder(path) {
            throw .unusablePath(path: path, reason: "it is not a folder")
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Makes a folder that only `account` may enter, or makes sure that an existing one is that.
    static func makePrivate(_ path: String, for account: ServerAccount) throws(PrivateServerError) {
        if owner(of: path) == nil { try place(path, for: account) }
        // lstat, because `/tmp` is everybody's: a link or a folder put there by another user must not be trusted.
        var status = stat()
        guard lstat(path, &status) == 0 else { throw failure(path) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .unusablePath(path: path, reason: "it is not a folder") }
        guard status.st_uid == account.userID else {
            throw .unusablePath(
                path: path, reason: "it belongs to user \(status.st_uid), the server's user is \(account.userID)")
        }
        guard status.st_mode & 0o077 == 0 else { throw .unusablePath(path: path, reason: "others may enter it") }
    }

    /// Puts an empty folder of `account`'s in place, unless something is there. Other processes see either nothing or a
    /// folder that has its owner already.
    private static func place(_ path: String, for account: ServerAccount) throws(PrivateServerError) {
        let unfinished = "\(path).\(UInt64.random(in: 0...UInt64.max)).new"
        guard mkdir(unfinished, 0o700) == 0 else { throw failure(unfinished) }
        let isOwned = !account.isOther || lchown(unfinished, account.userID, account.groupID) == 0
        if isOwned, rename(unfinished, path) == 0 { return }
        let isTaken = [EEXIST, ENOTEMPTY, ENOTDIR].contains(errno)
        let reason = failure(path)
        rmdir(unfinished)
        if !isTaken { throw reason }
    }

    /// The user who owns what is at the path; nil when there is nothing.
    static func owner(of path: String) -> UInt32? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_uid : nil
    }

    /// The absolute path without links.
    static func resolved(_ path: String) throws(PrivateServerError) -> String {
        guard let resolved = realpath(path, nil) else { throw failure(path) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Removes a folder with everything in it; nothing there is no error.
    static func remove(_ path: String) throws(PrivateServerError) {
        guard owner(of: path) != nil else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw .unusablePath(path: path, reason: "it could not be removed: \(error)")
        }
    }

    /// Moves a folder to a path where nothing is.
    static func move(_ path: String, to target: String) throws(PrivateServerError) {
        guard rename(path, target) == 0 else { throw failure(target) }
    }

    /// Writes a file of `account`'s atomically: readers see the old text or the new.
    static func write(_ text: String, to path: String, for account: ServerAccount) throws(PrivateServerError) {
        let unfinished = path + ".new"
        unlink(unfinished)
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(unfinished) }
        defer { close(descriptor) }
        if account.isOther {
            guard fchown(descriptor, account.userID, account.groupID) == 0 else { throw failure(unfinished) }
        }
        let bytes = Array(text.utf8)
        // A short write of a page of text to a regular file means a full disk.
        guard unistdWrite(descriptor, bytes, bytes.count) == bytes.count else { throw failure(unfinished) }
        try move(unfinished, to: path)
    }

    private static func parent(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
        return String(path[..<slash])
    }

    private static func failure(_ path: String) -> PrivateServerError {
        .unusablePath(path: path, reason: describe(errorNumber: errno))
    }
}

/// `write(2)`, under a name that `Folder.write` does not hide.
private func unistdWrite(_ descriptor: Int32, _ bytes: [UInt8], _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
