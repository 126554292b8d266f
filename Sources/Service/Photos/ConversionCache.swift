package import Domain
import Foundation
package import Logging
import NIOConcurrencyHelpers
import NIOPosix
package import PhotoStore

/// Other files of renditions, such as WebPs, made when they are asked for and kept in a folder of this process, up to a
/// number of bytes: the least recently used leave first. It knows digests only; whether a photo may be shown must be
/// looked up before.
package final class ConversionCache: Sendable {
    /// Where the files are kept, and how many bytes of them.
    package struct Settings: Sendable {
        package private(set) var folder: String
        /// 0: none are made.
        package var bytes = 1_000_000_000
        /// Keeps other processes from removing the folder.
        fileprivate private(set) var claim: ClaimedFolder?

        package init(folder: String) {
            self.folder = folder
        }

        /// The same in a new folder below this one, which processes may share: a cache knows only the files that it has
        /// made itself. Removes what processes that have ended left. Called once, before the first conversion.
        /// - Throws: what making or locking the folder throws.
        package func claimed() throws -> Settings {
            let claim = try ClaimedFolder(in: folder)
            var settings = self
            (settings.folder, settings.claim) = (claim.path, claim)
            return settings
        }

        /// Settings of a cache in a folder of this one.
        func part(_ name: String, bytes: Int) -> Settings {
            var settings = self
            (settings.folder, settings.bytes) = ("\(folder)/\(name)", bytes)
            return settings
        }
    }

    /// Makes a file of the JPEG at one path, in the folder at the other.
    package typealias Converter = @Sendable (_ jpeg: String, _ folder: String) async throws -> RenderedPhoto.Rendition

    /// Conversions at once: uploads need the other processors.
    private static let atOnce = 2

    private let type: ImageType
    private let settings: Settings
    private let store: FolderPhotoStore
    private let spool: PhotoSpool
    private let convert: Converter
    private let logger: Logger
    private let state = NIOLockedValueBox(State())

    /// - Parameter type: of the files that it makes.
    package init(
        _ settings: Settings, making type: ImageType = .webp, spool: PhotoSpool, logger: Logger,
        convert: @escaping Converter
    ) {
        self.type = type
        self.settings = settings
        store = FolderPhotoStore(folder: settings.folder)
        self.spool = spool
        self.logger = logger
        self.convert = convert
    }

    /// The number of callers that wait for a conversion of others.
    var waiting: Int { state.withLockedValue { $0.conversions.values.reduce(0) { $0 + $1.count } } }

    /// The file made of a rendition. Callers that ask for the same one at the same time share one conversion.
    /// - Returns: nil while others are being made, and where making it failed.
    package func file(of jpeg: PhotoFile) async -> PhotoFile? {
        switch await withCheckedContinuation({ begin(jpeg.digest, $0) }) {
        case .answer(let file): return file
        case .convert:
            let file = await made(of: jpeg)
            let others = state.withLockedValue { $0.conversions.removeValue(forKey: jpeg.digest) }
            for caller in others ?? [] { caller.resume(returning: .answer(file)) }
            return file
        }
    }

    /// The file made of a rendition; nil while there is none.
    func kept(of jpeg: PhotoFile) -> PhotoFile? {
        state.withLockedValue { $0.use(jpeg.digest) }
    }

    /// Removes the file made of a rendition.
    package func forget(_ jpeg: PhotoFile) async {
        await forget(jpeg.digest)
    }

    /// Removes the file made of the rendition with a digest.
    /// - Returns: the digest of that file; nil for none.
    @discardableResult
    func forget(_ jpeg: SHA256Sum) async -> SHA256Sum? {
        guard let file = state.withLockedValue({ $0.remove(jpeg) }) else { return nil }
        await remove(file)
        return file.digest
    }

    /// Removes what caches of processes that have ended left in the same folder.
    func removeAbandoned() async {
        guard let claim = settings.claim else { return }
        try? await NIOThreadPool.singleton.runIfActive { claim.removeAbandoned() }
    }

    private func begin(_ jpeg: SHA256Sum, _ caller: CheckedContinuation<Step, Never>) {
        let step: Step? = state.withLockedValue { state in
            if let file = state.use(jpeg) { return .answer(file) }
            if state.conversions[jpeg] != nil {
                state.conversions[jpeg]?.append(caller)
                return nil
            }
            guard settings.bytes > 0, state.conversions.count < Self.atOnce else { return .answer(nil) }
            state.conversions[jpeg] = []
            return .convert
        }
        if let step { caller.resume(returning: step) }
    }

    private func made(of jpeg: PhotoFile) async -> PhotoFile? {
        do {
            return try await spool.receive(try await jpeg.chunks(nil)) { source in
                try await keep(try await convert(source.path, source.folder), of: jpeg.digest)
            }
        } catch is CancellationError {
            return nil
        } catch is DiskSpace.Rejection {
            return nil
        } catch {
            logger.warning(
                "a rendition was not converted", metadata: ["type": "\(type.rawValue)", "error": "\(error)"])
            return nil
        }
    }

    private func keep(_ made: RenderedPhoto.Rendition, of jpeg: SHA256Sum) async throws -> PhotoFile? {
        guard let digest = SHA256Sum(hexadecimal: made.sha256),
            let former = state.withLockedValue({ $0.makeRoom(for: made.bytes, of: settings.bytes) })
        else { return nil }
        for file in former { await remove(file) }
        do {
            try await store.put(made.path, as: digest)
        } catch {
            state.withLockedValue { $0.arriving -= made.bytes }
            throw error
        }
        let file = PhotoFile(digest, type, size: made.bytes, store)
        state.withLockedValue { $0.add(file, of: jpeg) }
        return file
    }

    /// A file that cannot be removed stays until a start after the end of this process.
    private func remove(_ file: PhotoFile) async {
        _ = try? await store.remove(file.digest, putBefore: .distantFuture)
    }

    /// The part of a caller in a conversion.
    private enum Step: Sendable {
        case answer(PhotoFile?)
        case convert
    }

    private struct State {
        /// By the digest of the JPEG.
        var files: [SHA256Sum: (file: PhotoFile, lastUse: Int)] = [:]
        /// Bytes of these files, and of those that are being written.
        private var kept = 0
        var arriving = 0
        private var uses = 0
        /// Those who wait for each conversion under way, by the digest of the JPEG.
        var conversions: [SHA256Sum: [CheckedContinuation<Step, Never>]] = [:]

        mutating func use(_ jpeg: SHA256Sum) -> PhotoFile? {
            uses += 1
            files[jpeg]?.lastUse = uses
            return files[jpeg]?.file
        }

        /// Adds a file for which there was made room.
        mutating func add(_ file: PhotoFile, of jpeg: SHA256Sum) {
            uses += 1
            files[jpeg] = (file, uses)
            (kept, arriving) = (kept + file.size, arriving - file.size)
        }

        mutating func remove(_ jpeg: SHA256Sum) -> PhotoFile? {
            guard let file = files.removeValue(forKey: jpeg)?.file else { return nil }
            kept -= file.size
            return file
        }

        /// Makes room for a file. Looking through all of them takes less time than the conversion before it.
        /// - Returns: the files that leave; nil where there cannot be room.
        mutating func makeRoom(for size: Int, of most: Int) -> [PhotoFile]? {
            guard arriving + size <= most else { return nil }
            arriving += size
            var leaving: [PhotoFile] = []
            while kept + arriving > most, let oldest = files.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                if let file = remove(oldest.key) { leaving.append(file) }
            }
            return leaving
        }
    }
}
