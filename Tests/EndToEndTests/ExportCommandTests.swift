import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// `skein export`, beside a running service and without one.
struct ExportCommandTests {
    private static let settings = [
        "SKEIN_PUBLIC_URL": "https://sightings.example.org", "SKEIN_ORGANISATION": "Wren Society",
        "SKEIN_CONTACT": "data@example.org",
    ]

    /// Runs `skein export` on the data directory of a service, with its settings.
    /// - Returns: what it printed, or its errors.
    @discardableResult
    private func export(
        _ arguments: [String], _ service: ServedSkein, settings: [String: String] = Self.settings, status: Int32 = 0,
        isOfErrors: Bool = false
    ) async throws -> String {
        let process = ServedSkein.skein(["export"] + arguments + ["--data-dir", service.folder + "/data"])
        process.environment?.merge(settings) { $1 }
        if isOfErrors {
            process.standardOutput = FileHandle.nullDevice
        } else {
            process.standardError = FileHandle.nullDevice
        }
        let text = try await process.output(isOfErrors: isOfErrors)
        #expect(process.terminationStatus == status, "skein export \(arguments.joined(separator: " ")): \(text)")
        return text
    }

    /// Imports three records into a dataset.
    private func importRows(_ title: String, republish: String, _ service: ServedSkein) async throws {
        let file = "\(service.folder)/\(title).csv"
        let rows = (1...3).map { "\(title)-\($0),Troglodytes pacificus,4\($0).5,-122.5,2019-05-0\($0)" }
        let header = "occurrenceID,scientificName,decimalLatitude,decimalLongitude,eventDate"
        try Data(([header] + rows).joined(separator: "\n").utf8).write(to: URL(filePath: file))
        _ = try await service.command([
            "import", "occurrences", file, "--dataset", title, "--licence", "CC-BY-4.0", "--republish", republish,
        ])
    }

    /// The id and the bytes of an export of the service.
    private func ask(_ body: String, _ service: ServedSkein) async throws -> (id: String, bytes: Data) {
        let asked = try await Birder.register(service).send(.POST, "/v1/exports", json: body)
        let id = try #require(asked.text("id"), "\(String(decoding: asked.body, as: UTF8.self))")
        try await until("the export is not made") {
            try await service.send(.GET, "/v1/exports/\(id)").text("state") == "ready"
        }
        return (id, try await service.send(.GET, "/v1/exports/\(id)/data").body)
    }

    private func json(_ path: String) throws -> [String: Any] {
        let bytes = try Data(contentsOf: URL(filePath: path))
        return try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    }

    @Test func `a file has the bytes of the service's export, also when the service does not run`() async throws {
        try await ServedSkein.run(Self.settings) { service in
            try await importRows("Wrens", republish: "yes", service)
            try await until("the records are not shown") {
                try await service.send(.GET, "/v1/sightings/count?kind=bird").int("records") == 3
            }
            let now = try await ask(#"{"format":"csv"}"#, service)
            let file = service.folder + "/records.csv"
            #expect(try await export(["--format", "csv", "-o", file], service).contains("3 records"))
            #expect(try Data(contentsOf: URL(filePath: file)) == now.bytes)
            let manifest = try json(file + ".manifest.json")
            #expect(manifest["rows"] as? Int == 3 && manifest["bytes"] as? Int == now.bytes.count)
            #expect(manifest["url"] is NSNull, "the service does not have this export")

            let table = try await ask(#"{"format":"ranges","filter":{"kind":"bird","cellKm":50}}"#, service)
            let ranges = service.folder + "/ranges.csv"
            let written = try await export(
                ["--format", "ranges", "--kind", "bird", "--cell-km", "50", "-o", ranges], service)
            // All records, and those of two regions.
            #expect(try written.contains("3 rows") && Data(contentsOf: URL(filePath: ranges)) == table.bytes)

            let day = Date(timeIntervalSinceNow: -2 * 86_400).formatted(.iso8601.year().month().day())
            let dated = try await ask(#"{"format":"dwca","asOf":"\#(day)"}"#, service)
            let archive = service.folder + "/records.zip"
            try await export(["--format", "dwca", "--as-of", day, "--output", archive], service)
            #expect(try Data(contentsOf: URL(filePath: archive)) == dated.bytes)
            #expect(try json(archive + ".manifest.json")["id"] as? String == dated.id)

            await service.stop(SIGTERM)
            #expect(try await export(["--format", "csv", "-o", "-"], service).utf8.elementsEqual(now.bytes))
            let list = try await export(["list"], service)
            let lines = [
                "\(now.id)\tready\tcsv\t-\t3\t1", "\(table.id)\tready\tranges\t-\t3\t1",
                "\(dated.id)\tready\tdwca\t\(day)\t0\t1",
            ]
            #expect(list == lines.map { $0 + "\n" }.joined())
            for id in [now.id, table.id, dated.id] {
                #expect(try await export(["verify", id], service).hasPrefix("identical: revision 1, "))
            }
            var moved = Self.settings
            moved["SKEIN_PUBLIC_URL"] = "https://elsewhere.example.org"
            let other = try await export(["verify", now.id], service, settings: moved, status: 1)
            #expect(other.hasPrefix("the export cannot be made again: it has output version 1"), "\(other)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: service.folder).filter { $0.first == "." } == [])
        }
    }

    @Test func `an export that was not made cannot be verified`() async throws {
        var settings = Self.settings
        settings["SKEIN_EXPORT_FILE_BYTES"] = "1"
        try await ServedSkein.run(settings) { service in
            let asked = try await Birder.register(service).send(.POST, "/v1/exports", json: #"{"format":"csv"}"#)
            let id = try #require(asked.text("id"), "\(String(decoding: asked.body, as: UTF8.self))")
            try await until("the export does not fail") {
                try await service.send(.GET, "/v1/exports/\(id)").text("state") == "failed"
            }
            let text = try await export(["verify", id], service, status: 1)
            #expect(text == "the export was not made: it is failed\n")
        }
    }

    @Test func `an operator may name a dataset that is not passed on, and the manifest says so`() async throws {
        try await ServedSkein.run(Self.settings) { service in
            try await importRows("Wrens", republish: "yes", service)
            try await importRows("Kept", republish: "no", service)
            let file = service.folder + "/records.csv"
            #expect(try await export(["--format", "csv", "-o", file], service).contains("3 not passed on"))
            let all = try json(file + ".manifest.json")
            #expect((all["leftOut"] as? [String: Int])?["notRepublished"] == 3)
            try await export(["--format", "csv", "--dataset", "Kept", "-o", file], service)
            let named = try json(file + ".manifest.json")
            let datasets = try #require(named["datasets"] as? [[String: Any]])
            #expect(named["rows"] as? Int == 3 && datasets.count == 1)
            #expect(datasets[0]["title"] as? String == "Kept" && datasets[0]["republish"] as? String == "no")
        }
    }

    @Test func `all faults of the options are named at once`() async throws {
        try await ServedSkein.run { service in
            let text = try await export(
                [
                    "--format", "xls", "--taxon", "\(UUID())", "--from", "2026-05-02", "--to", "2026-05-01",
                    "--status", "pending", "--min-confidence", "11", "--bbox", "-1,2", "--dataset", "No such title",
                    "--as-of", "2999-01-01",
                ], service, status: 64, isOfErrors: true)
            let options = [
                "format", "taxon", "from", "status", "min-confidence", "bbox", "dataset", "as-of", "output",
            ]
            for option in options { #expect(text.contains("--\(option) "), "\(option): \(text)") }
            let unknown = try await export(["verify", "\(UUID())"], service, status: 64, isOfErrors: true)
            #expect(unknown.contains("there is no export with this id"))
            let folder = try await export(
                ["--format", "csv", "-o", service.folder + "/none/x.csv"], service, status: 64, isOfErrors: true)
            #expect(folder.contains("--output must be in a folder that exists"))
        }
    }

    @Test func `a full disk is an error`() async throws {
        try await ServedSkein.run(Self.settings) { service in
            let process = ServedSkein.skein([
                "export", "--format", "csv", "-o", "-", "--data-dir", service.folder + "/data",
            ])
            process.standardOutput = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
            let text = try await process.output(isOfErrors: true)
            #expect(process.terminationStatus == 1 && text.contains("No space left on device"), "\(text)")
        }
    }
}
