import Domain
import EventLog
import Exchange
import FoundationEssentials
import Service

/// Records chunks of rows: looks up their streams, decides, and appends.
///
/// Any number of chunks may be under way at once; no two hold the same stream.
struct ImportRecorder: Sendable {
    let log: ImportLog
    let contents: OccurrenceContentReader
    let interpreter: OccurrenceInterpreter
    let isDryRun: Bool

    /// Stops the import if a chunk is not as it was in the first pass.
    let watch: FileWatch

    /// A row whose stream is known.
    private struct Candidate: Sendable {
        let row: OccurrenceRow
        let content: OccurrenceContent
        let stream: UUID
        let visit: Change<RowVisit>
    }

    /// The outcome of a row.
    fileprivate enum Verdict: Sendable {
        case known
        /// Its record got the observers or the visit of the row, which has not changed.
        case noted(isRevisited: Bool)
        case accepted(hasTaxon: Bool)
        case corrected(hasTaxon: Bool)
        case rejected(RowRejection)
    }

    /// - Throws: what the database throws; `AppendError` if the log accepts no appends at all.
    func record(_ chunk: ImportChunk) async throws -> ImportChunkResult {
        var result = ImportChunkResult(chunk)
        let contents = try contents.contents(of: chunk)
        try watch.checkChunk(chunk, contents)
        let candidates = try candidates(chunk, contents, &result)
        let found = try await log.lookup.states(of: candidates.map(\.stream), as: SightingState.self)
        var verdicts = [Verdict?](repeating: nil, count: candidates.count)
        try await withThrowingTaskGroup(of: (Int, Verdict).self) { group in
            for (index, candidate) in candidates.enumerated() {
                switch try decide(candidate, found[candidate.stream] ?? FoundStream()) {
                case .settled(let verdict): verdicts[index] = verdict
                case .append(let command, let verdict):
                    group.addTask { (index, try await append(command, verdict, candidate)) }
                }
            }
            for try await (index, verdict) in group { verdicts[index] = verdict }
        }
        for (candidate, verdict) in zip(candidates, verdicts) {
            guard let verdict else { continue }
            result.add(verdict, candidate.row)
            if case .cleared = candidate.visit { result.countWithoutVisit(verdict) }
        }
        result.rejected.sort { $0.row < $1.row }
        return result
    }

    private func candidates(
        _ chunk: ImportChunk, _ contents: [OccurrenceContent?], _ result: inout ImportChunkResult
    ) throws -> [Candidate] {
        var candidates: [Candidate] = []
        for (record, content) in zip(chunk.records, contents) {
            switch record {
            case .rejected(let rejection, let file):
                result.rejected.append(RejectedOccurrence(rejection, file: file))
            case .occurrence(let row):
                let repetition = chunk.repetitions[row.number]
                guard let content else { continue }
                if let repetition, content.occurrenceID != nil {
                    result.add(repetition.hasSameContent ? .known : .rejected(.repeatedID), row)
                    continue
                }
                let stream = content.stream(
                    in: interpreter.dataset, ordinal: repetition?.ordinal ?? 1, by: log.signer)
                candidates.append(
                    Candidate(row: row, content: content, stream: stream, visit: interpreter.visit(of: row)))
            }
        }
        return candidates
    }
}

// MARK: - Deciding

extension ImportRecorder {
    private enum Decided {
        case settled(Verdict)
        case append(AppendCommand, Verdict)
    }

    private func decide(_ candidate: Candidate, _ found: FoundStream<SightingState>) throws -> Decided {
        let fingerprint = candidate.content.fingerprint
        if let record = found.state.record, found.state.status != .withdrawn, record.occurrence == fingerprint,
            record.recorder != nil || interpreter.recorder(of: candidate.row) == nil,
            candidate.visit.real(against: record.rowVisit).isUnset
        {
            return .settled(verdict(ofKnown: record, found))
        }
        do {
            let row = try interpreter.command(for: candidate.row, candidate.content, visit: candidate.visit)
            let decision = try SightingDecider.decide(.importRecord(row), found.state)
            let hasTaxon = row.identification?.taxon != nil
            let verdict: Verdict =
                switch decision.events.first {
                case .corrected(let correction) where correction.isNote: self.verdict(ofNoted: correction, found)
                case .corrected: .corrected(hasTaxon: hasTaxon)
                default: .accepted(hasTaxon: hasTaxon)
                }
            if isDryRun { return .settled(verdict) }
            let identity = log.identity(
                "ImportSighting",
                about: [candidate.stream.uuidString, fingerprint.text, String(found.version)],
                request: CanonicalText(digest: candidate.content.digest))
            return .append(
                AppendCommand(decision, stream: candidate.stream, expected: found.version, identity), verdict)
        } catch let rejection as RowRejection {
            return .settled(.rejected(rejection))
        } catch let rejection as SightingRejection {
            return .settled(.rejected(RowRejection(rejection)))
        }
    }

    /// A resumed import counts what it recorded before it was stopped as its own.
    private func verdict(ofKnown record: SightingRecord, _ found: FoundStream<SightingState>) -> Verdict {
        guard record.batch == interpreter.batch,
            let touch = found.state.imports.touches.last(where: { $0.batch == interpreter.batch })
        else { return .known }
        let hasTaxon = record.identification.taxon != nil
        return touch.isAcceptance ? .accepted(hasTaxon: hasTaxon) : .corrected(hasTaxon: hasTaxon)
    }

    /// A resumed import counts what it recorded before as its own, whatever it notes now.
    private func verdict(ofNoted correction: SightingCorrected, _ found: FoundStream<SightingState>) -> Verdict {
        let known = found.state.record.map { verdict(ofKnown: $0, found) } ?? .known
        guard case .known = known else { return known }
        return .noted(isRevisited: !correction.rowVisit.isUnset)
    }

    private func append(
        _ command: AppendCommand, _ verdict: Verdict, _ candidate: Candidate
    ) async throws -> Verdict {
        var (command, verdict) = (command, verdict)
        while true {
            switch try await log.append(command) {
            case .appended: return verdict
            case .rejected(let reason): return .rejected(.unrecordable(reason))
            case .conflict: break
            }
            // The record was changed by another writer in the meantime: decide again.
            let found = try await log.lookup.states(of: [candidate.stream], as: SightingState.self)
            switch try decide(candidate, found[candidate.stream] ?? FoundStream()) {
            case .settled(let settled): return settled
            case .append(let again, let anew): (command, verdict) = (again, anew)
            }
        }
    }
}

extension ImportChunkResult {
    fileprivate mutating func add(_ verdict: ImportRecorder.Verdict, _ row: OccurrenceRow) {
        switch verdict {
        case .known: tally.known += 1
        case .noted(let isRevisited):
            tally.known += 1
            if isRevisited { tally.revisited += 1 }
        case .accepted(let hasTaxon):
            tally.accepted += 1
            if !hasTaxon { tally.withoutTaxon += 1 }
        case .corrected(let hasTaxon):
            tally.corrected += 1
            if !hasTaxon { tally.withoutTaxon += 1 }
        case .rejected(let rejection): rejected.append(RejectedOccurrence(row, rejection))
        }
    }

    fileprivate mutating func countWithoutVisit(_ verdict: ImportRecorder.Verdict) {
        if case .rejected = verdict { return }
        tally.withoutVisit += 1
    }
}

extension RowRejection {
    init(_ rejection: SightingRejection) {
        switch rejection {
        case .withdrawn: self = .forPrivacy
        case .redacted: self = .redacted
        case .otherDataset: self = .otherDataset
        case .invalid(let faults):
            self = .implausibleDate("the date \(faults.all.map(\.message).joined(separator: ", "))")
        case .notFound, .alreadySubmitted, .ownSighting, .otherModerator, .notInBatch, .nothingOpen,
            .changedSince, .keptFromUndo:
            self = .unrecordable("the record cannot be changed by an import")
        }
    }
}
