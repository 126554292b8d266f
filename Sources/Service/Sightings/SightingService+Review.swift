package import Domain
import EventLog
package import FoundationEssentials

/// The owner's part in the review of a sighting.
extension SightingService {
    /// The owner identifies a sighting. The name as typed stays.
    /// - Throws: `Faults`, ``CommandError``, `SightingRejection`; what the database throws.
    package func identify(
        _ id: SightingID, _ request: IdentificationRequest, by account: AccountID, key: UUID
    ) async throws -> Finding {
        let outcome = try await change(id, "IdentifySighting", request.canonical, by: account, key: key) { _ in
            .identify(
                IdentifySighting(
                    by: account, isModerator: false, identification: try request.identification(in: catalogue.names),
                    remarks: request.remarks))
        }
        return try await answer(to: outcome)
    }

    /// The owner answers the open question of a moderator.
    /// - Throws: ``CommandError``, `SightingRejection`; what the database throws.
    package func answer(_ id: SightingID, _ text: Remarks, by account: AccountID, key: UUID) async throws -> Finding {
        let outcome = try await change(id, "AnswerQuestion", CanonicalText(text.typed), by: account, key: key) { _ in
            .answer(SightingWords(observer: account, text: text))
        }
        return try await answer(to: outcome)
    }

    /// The owner appeals against the rejection of a sighting, which another moderator then decides.
    /// - Throws: ``CommandError``, `SightingRejection`; what the database throws.
    package func appeal(_ id: SightingID, _ text: Remarks, by account: AccountID, key: UUID) async throws -> Finding {
        let outcome = try await change(id, "AppealSighting", CanonicalText(text.typed), by: account, key: key) { _ in
            .appeal(SightingWords(observer: account, text: text))
        }
        return try await answer(to: outcome)
    }

    /// The owner puts the photos of a sighting in order.
    /// - Throws: ``CommandError``, `SightingRejection`; what the database throws.
    package func order(
        _ ids: [PhotoID], of sighting: SightingID, ifVersions: Set<Int>?, by account: AccountID, key: UUID
    ) async throws -> Finding {
        let request = CanonicalText(ids.map(\.description))
        let outcome = try await change(
            sighting, "OrderPhotos", request, ifVersions: ifVersions, by: account, key: key
        ) { _ in
            let present = try await SightingPhotos.read(of: sighting, store, reservations).present
            return .orderPhotos(
                OrderPhotos(observer: account, photos: ids, present: Set(present.map { PhotoID($0.id) })))
        }
        return try await answer(to: outcome)
    }
}
