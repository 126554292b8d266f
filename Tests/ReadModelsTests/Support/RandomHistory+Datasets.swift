import FoundationEssentials
import TestRandom

extension RandomHistory {
    mutating func dataset() -> [GeneratedEvent] {
        let (id, batch) = (random.uuid(), random.uuid())
        datasets.append(id)
        batches[id] = [batch]
        return [
            GeneratedEvent(id, "dataset", "DatasetRegistered", ["licence": "CC0-1.0", "republish": "yes"]),
            started(batch, id),
        ]
    }

    private func started(_ batch: UUID, _ dataset: UUID) -> GeneratedEvent {
        GeneratedEvent(
            dataset, "dataset", "ImportStarted",
            ["batch": .id(batch), "file": .text(String(repeating: "0f", count: 32))])
    }

    mutating func batch() -> GeneratedEvent {
        let dataset = random.element(of: datasets)
        let batch = random.element(of: batches[dataset] ?? [])
        switch random.int(in: 0...2) {
        case 0:
            let next = random.uuid()
            batches[dataset, default: []].append(next)
            return started(next, dataset)
        case 1:
            return GeneratedEvent(
                dataset, "dataset", "ImportFinished",
                ["batch": .id(batch), "accepted": 1, "known": 2, "corrected": 3, "withdrawn": 4, "refused": 5])
        default:
            return GeneratedEvent(dataset, "dataset", "ImportUndone", ["batch": .id(batch), "withdrawn": 6])
        }
    }
}
