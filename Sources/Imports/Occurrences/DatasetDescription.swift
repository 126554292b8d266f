package import Domain
import EventLog
import FoundationEssentials
import Service

/// Changes the title and the credits of a dataset: `skein dataset describe`.
///
/// Responses as of earlier days keep the former texts. A former title stays reserved: no other dataset can get it, and
/// an import that names it goes into the dataset that had it.
package struct DatasetDescription: Sendable {
    private let log: ImportLog

    /// Changes datasets in the log.
    package init(log: ImportLog) {
        self.log = log
    }

    /// - Parameters:
    ///   - dataset: its id, or a current or former title.
    ///   - command: its `kept` is replaced.
    /// - Throws: ``ImportError/unknownDataset``, ``ImportError/titleTaken``; ``CommandError``, `PostgresError`.
    package func run(_ dataset: String, _ command: DescribeDataset) async throws -> DescribedDataset {
        let dataset = try await find(dataset)
        // Random, not made of the texts: the same ones may be given again after others.
        let identity = log.identity("DescribeDataset", about: [dataset.id.description, UUID().uuidString])
        var isChanged = false
        do {
            let outcome: Outcome<DatasetState> = try await log.store.change(
                dataset.id.uuid, ifVersions: nil, identity
            ) { stored in
                var command = command
                command.kept = try await dataset.texts(asOf: stored.position)
                let decision = try DatasetDecider.decide(.describe(command), stored.state)
                isChanged = !decision.isEmpty
                return decision
            }
            let texts = try await dataset.texts(asOf: outcome.stored.position)
            return DescribedDataset(id: dataset.id, isChanged: isChanged, texts: texts)
        } catch CommandError.rejected(.reserved) {
            throw ImportError.titleTaken
        }
    }

    private func find(_ text: String) async throws -> ImportedDataset {
        if let id = DatasetID(text) {
            let dataset = ImportedDataset(log: log, id: id)
            if try await dataset.state().exists { return dataset }
        }
        guard let title = try? DatasetTitle(text), let dataset = try await ImportedDataset.known(by: title, in: log)
        else { throw ImportError.unknownDataset }
        return dataset
    }
}

/// A dataset with its title and credits.
package struct DescribedDataset: Sendable, Equatable, CustomStringConvertible {
    package let id: DatasetID
    /// Whether the command changed any of them.
    package let isChanged: Bool
    /// The texts after the command.
    package let texts: [ContentField: String]

    /// A few lines for a person.
    package var description: String {
        let lines = DescribeDataset.fields.compactMap { field in texts[field].map { "  \(field.rawValue): \($0)" } }
        let first = isChanged ? "Dataset \(id)" : "Dataset \(id): nothing changed"
        return ([first] + lines).joined(separator: "\n")
    }
}
