package import Domain
import EventLog
import FoundationEssentials
import PhotoStore

extension PhotoService {
    /// The result of rendering a photo again.
    package enum Rerendering: String, Sendable {
        /// The renditions are those that it has.
        case same
        case renewed
        /// Its original is not in the store.
        case missing
        /// Its original cannot be rendered any longer.
        case failed
    }

    /// Makes the renditions of a photo again, for a renderer that has changed or a store that lost them. The old bytes
    /// stay until a sweep.
    /// - Returns: nil for a photo that is gone.
    /// - Throws: ``CommandError``; what the database or the store throws.
    package func renderAgain(_ id: PhotoID) async throws -> Rerendering? {
        guard let stored: Stored<PhotoState> = try await store.load(id.uuid) else { throw CommandError.notFound }
        guard let image = try? stored.present.image, let original = SHA256Sum(hexadecimal: image.original.text)
        else { return nil }
        do {
            let bytes = try await photos.read(original, nil)
            return try await spool.receive(bytes.chunks) { try await renew(stored, from: $0) }
        } catch PhotoStoreError.notFound {
            return .missing
        } catch is RenderError {
            return .failed
        }
    }

    private func renew(_ stored: Stored<PhotoState>, from file: SpooledFile) async throws -> Rerendering {
        let rendered = try await renderer.render(file.path, into: file.folder)
        let renditions = try [PhotoRendition](rendered)
        // Also those that are the same: their bytes may be missing.
        try await keep(rendered)
        let likeness = try [LikenessHash](rendered)
        guard !stored.state.isRendered(as: renditions, likeness) else { return .same }
        let command = signer.identity(
            account: UUID(bytes: []), command: "RenderPhoto", target: stored.id, key: UUID(), request: .empty,
            actor: nil)
        let _: Outcome<PhotoState> = try await store.change(stored.id, ifVersions: nil, command) {
            try PhotoDecider.decide(.render(renditions, likeness: likeness), $0.state)
        }
        return .renewed
    }
}
