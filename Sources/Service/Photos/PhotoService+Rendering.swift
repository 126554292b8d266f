package import Domain
import EventLog
import FoundationEssentials
import PhotoStore

extension PhotoService {
    /// The result of rendering a photo again.
    package enum Rerendering: Sendable {
        /// The renditions are those that it has.
        case same
        case renewed
        /// Its original is not in the store.
        case missing
    }

    /// Makes the renditions of a photo again, for a renderer that has changed. The old bytes stay until a sweep.
    /// - Throws: ``CommandError``, `RenderError`; what the database or the store throws.
    package func renderAgain(_ id: PhotoID) async throws -> Rerendering {
        guard let stored: Stored<PhotoState> = try await store.load(id.uuid) else { throw CommandError.notFound }
        guard let original = PhotoDigest(hexadecimal: try stored.present.image.original.text) else {
            throw CommandError.gone
        }
        do {
            let bytes = try await photos.read(original, nil)
            return try await spool.receive(bytes.chunks) { try await renew(stored, from: $0) }
        } catch PhotoStoreError.notFound {
            return .missing
        }
    }

    private func renew(_ stored: Stored<PhotoState>, from file: SpooledFile) async throws -> Rerendering {
        let rendered = try await renderer.render(file.path, into: file.folder)
        let renditions = try [PhotoRendition](rendered)
        guard renditions != stored.state.renditions else { return .same }
        try await keep(rendered)
        let command = signer.identity(
            account: UUID(bytes: []), command: "RenderPhoto", target: stored.id, key: UUID(), request: [], actor: nil)
        let _: Outcome<PhotoState> = try await store.change(stored.id, ifVersions: nil, command) {
            try PhotoDecider.decide(.render(renditions), $0.state)
        }
        return .renewed
    }
}
