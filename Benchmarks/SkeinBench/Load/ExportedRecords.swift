import EventLog
import Foundation
import Postgres
import ReadModels

/// Imported records that may be passed on, with columns of their own.
struct ExportedRecords: Sendable {
    private let log: ServedLog
    /// The records of a visit; nil for records without visits.
    private let visited: Int?
    private let names: [String]

    /// - Parameters:
    ///   - log: has the service's taxa.
    ///   - visited: the records of a visit, which have their day, place and observer in common; nil for records
    ///     without visits.
    init(_ log: ServedLog, onVisitsOf visited: Int? = nil) async throws {
        (self.log, self.visited) = (log, visited)
        let laboratory = log.laboratory
        names = try await laboratory.withConnection(try laboratory.owner(log.service.database)) { connection in
            try await connection.query(
                """
                select scientific_name from \(identifier: ReadModel.taxa.schema).taxa
                 where rank = 'species' and sensitivity is null order by id limit 600
                """
            ).rows.map { try $0.decode("scientific_name") }
        }
    }

    /// Imports that many records, and has the read models folded and analysed.
    func fill(_ count: Int) async throws {
        let laboratory = log.laboratory
        let file = laboratory.folder + "/exported.csv"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try write(count, to: file)
        let took = try await AppendLoad.timed {
            try await laboratory.skein.run(
                [
                    "import", "occurrences", file, "--dataset", "Exported", "--licence", "CC-BY-4.0", "--republish",
                    "yes",
                ] + (visited == nil ? [] : ["--visit", "eventID", "--complete"]),
                environment: laboratory.environment(log.service.database), in: laboratory.folder)
        }
        show("imported \(count) records in \(took.seconds.short) s")
        let followed = try await AppendLoad.timed { try await log.service.waitUntilFollowed() }
        show("followed in \(followed.seconds.short) s more")
        try await laboratory.withConnection(try laboratory.owner(log.service.database)) {
            _ = try await $0.query("vacuum analyze")
        }
    }

    private func write(_ count: Int, to path: String) throws {
        try Data().write(to: URL(filePath: path))
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? file.close() }
        let heading = "occurrenceID,scientificName,decimalLatitude,decimalLongitude,coordinateUncertaintyInMeters,"
        var text = heading + "eventDate,individualCount,recordedBy,locality,samplingProtocol,trail"
        text += visited == nil ? "\n" : ",eventID\n"
        for number in 0..<count {
            text += line(number)
            guard text.utf8.count > 1_000_000 else { continue }
            try file.write(contentsOf: Data(text.utf8))
            text = ""
        }
        try file.write(contentsOf: Data(text.utf8))
    }

    private func line(_ number: Int) -> String {
        let visit = number / (visited ?? 1)
        let latitude = 33 + Double(visit * 104_729 % 150_000) / 10_000
        let longitude = -119 + Double(visit * 15_485_863 % 380_000) / 10_000
        let day = String(format: "%d-%02d-%02d", 2010 + visit % 15, visit % 12 + 1, visit % 28 + 1)
        return """
            bench-\(number),\(names[number % names.count]),\(latitude),\(longitude),25,\(day),\(number % 9 + 1),\
            Observer \(visit % 500),"Trail \(visit % 997), post \(visit % 13)",stationary,\(visit % 997)\
            \(visited == nil ? "" : ",visit-\(visit)")

            """
    }
}
