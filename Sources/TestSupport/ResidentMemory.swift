import FoundationEssentials

/// The memory of a process as Linux counts it.
package enum ResidentMemory {
    /// `VmRSS` of `/proc/…/status`, in KiB.
    /// - Parameter process: nil: this one.
    /// - Throws: what reading the file throws; `CocoaError` where it has no such line.
    package static func kibibytes(of process: Int32? = nil) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.map(String.init) ?? "self")/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        guard let kibibytes = line.flatMap({ Int($0.filter(\.isNumber)) }) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return kibibytes
    }
}
