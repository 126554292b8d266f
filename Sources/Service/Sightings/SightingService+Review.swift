package import Domain
import EventLog
package import FoundationEssentials

/// The owner's part in the review of a sighting.
extension SightingService {
    /// The owner identifies a sighting. What was typed before stays.
    /// - Throws: `Faults`, ``CommandError``, `SightingRejection`; what the database throws.
    package func identify(
        _ id: SightingID, _ request: IdentificationRequest, by account: AccountID, key: UUID
    ) async throws -> Finding {
        try await change(id, "IdentifySighting", request.canonical, by: account, key: key) { _ in
            .identify(
                IdentifySighting(
                    by: account, isModerator: false, identification: try request.identification(in: catalogue.names),
                    remarks: request.remarks))
        }
    }

    /// The owner answers the open question of a moderator.
    /// - Throws: ``CommandError``, `SightingRejection`; what the database throws.
    package func answer(_ id: SightingID, _ text: Remarks, by account: AccountID, key: UUID) async throws -> Finding {
        try await change(id, "AnswerQuestion", Array(text.text.utf8), by: account, key: key) { _ in
            .answer(SightingWords(observer: account, text: text))
        }
    }

    /// The owner appeals against the rejection of a sighting, which another moderator then decides.
    /// - Throws: ``CommandError``, `SightingRejection`; what the database throws.
    package func appeal(_ id: SightingID, _ text: Remarks, by account: AccountID, key: UUID) async throws -> Finding {
        try await change(id, "AppealSighting", Array(text.text.utf8), by: account, key: key) { _ in
            .appeal(SightingWords(observer: account, text: text))
        }
    }

    /// The owner puts the photos of a sighting in order.
    /// - Throws: ``CommandError``, `SightingRejection`; what the database throws.
    package func order(
        _ ids: [PhotoID], of sighting: SightingID, ifVersions: Set<Int>?, by account: AccountID, key: UUID
    ) async throws -> Finding {
        let request = Array(ids.map(\.description).joined(separator: ",").utf8)
        return try await change(sighting, "OrderPhotos", request, ifVersions: ifVersions, by: account, key: key) { _ in
            let present = try await SightingPhotos.read(of: sighting, store, reservations).present.map(\.id)
            return .orderPhotos(OrderPhotos(observer: account, photos: ids, present: Set(present.map { PhotoID($0) })))
        }
    }

    private func change(
        _ id: SightingID, _ name: String, _ request: [UInt8], ifVersions: Set<Int>? = nil, by account: AccountID,
        key: UUID, decide: (Stored<SightingState>) async throws -> SightingCommand
    ) async throws -> Finding {
        let command = signer.identity(
            account: account.uuid, command: name, target: id.uuid, ifVersions: ifVersions, key: key, request: request,
            actor: account.uuid)
        let outcome: Outcome<SightingState> = try await store.change(id.uuid, ifVersions: ifVersions, command) {
            try SightingDecider.decide(try await decide($0), $0.state)
        } mayAct: {
            Self.mayAsk(account, about: $0)
        }
        return try await answer(to: outcome)
    }
}
