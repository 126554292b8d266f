import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ReadModels
import TestSupport
import Testing

@testable import Imports
@testable import Service
@testable import Web

/// The last month, in whose middle everything is recorded: its later days and its end can be played with a driven
/// clock, whatever day it is.
struct PastMonth: Sendable {
    /// How many days the middle was ago, and so by how many events are moved.
    let days: Int
    /// From the fifteenth to the eighteenth. If a test runs over midnight, some events are of the next day.
    let middle: CivilDate
    let lastDay: CivilDate

    init() {
        let today = Instant.now.date()
        days = today.day + 13
        middle = today.adding(days: -days)
        lastDay = today.adding(days: -today.day)
    }

    /// A day at whose end everything is recorded.
    var day: CivilDate { middle.adding(days: 2) }

    /// The clock when that day is over.
    var dayIsOver: Instant { Instant(startOf: day.adding(days: 1)).adding(seconds: 3_600) }

    /// Moves what was recorded after a position, and has all models made of it.
    func move(_ database: TestDatabase, after position: Int64 = 0) async throws {
        try await database.recordEarlier(byDays: days, after: position)
        try await database.rebuildModels()
    }
}

/// What anyone is told, but for what is random in every answer: encrypted positions and the ids of requests.
struct PublicAnswer: Hashable, Sendable {
    let status: Int
    let tag: String?
    /// Of an error: its type.
    let body: String

    private static let accepted: [String: HTTPFields] = [
        "csv": [.accept: "text/csv"], "sequence": [.accept: "application/geo+json-seq"],
    ]

    /// Reads a path; after a space, it may have the name of a format.
    static func read(_ path: String, _ served: ServedRoutes, at now: Instant) async throws -> PublicAnswer {
        let parts = path.split(separator: " ").map(String.init)
        let headers = parts.count > 1 ? try #require(accepted[parts[1]]) : [:]
        let answer = try await Caller.anonymous(served).read(parts[0], at: now, headers: headers)
        let body = answer.status == .ok ? String(buffer: answer.body) : try answer.problem ?? ""
        return PublicAnswer(status: answer.status.code, tag: answer.headers[.eTag], body: body)
    }

    /// The lists, counts, streams and maps of all records; as of a day, with a query.
    static func lists(taxon: String, _ query: String = "") -> [String] {
        let query = query.isEmpty ? "" : "?\(query)"
        return [
            "/v1/sightings\(query)", "/v1/sightings\(query) csv", "/v1/sightings\(query) sequence",
            "/v1/sightings/count\(query)", "/v1/taxa/\(taxon)/map\(query)",
        ]
    }

    /// What is computed of the records of a taxon and of a region.
    static func figures(taxon: String, _ query: String = "") -> [String] {
        let taxon = ["ranges", "totals"].map { "/v1/taxa/\(taxon)/\($0)" }
        let region = ["ranges", "species"].map { "/v1/regions/pacific-northwest/\($0)" }
        return (taxon + region).map { query.isEmpty ? $0 : "\($0)?\(query)" }
    }

    /// Everything about an export.
    static func parts(of export: String) -> [String] {
        ["", "/data", "/manifest", "/CITATION.cff", "/citation.bib", "/datacite.json"].map {
            "/v1/exports/\(export)\($0)"
        }
    }
}

extension ServedRoutes {
    /// Decides a sighting, or rejects it with a reason.
    func decide(_ id: String, _ decision: String = #""decision":"approve""#, by moderator: Caller) async throws {
        let decided = try await moderator.at(self).send(
            .post, "/v1/moderation/sightings/\(id)/decisions", headers: [.ifMatch: "*"], json: "{\(decision)}")
        try #require(decided.status == .ok, "\(String(buffer: decided.body))")
    }

    /// Has exports as of a day made when the clock says so.
    /// - Returns: the id for each format.
    func exports(
        _ formats: [ExportFormat], asOf day: CivilDate, _ filter: String = "{}", at now: Instant
    ) async throws -> [String] {
        let caller = try await Caller.register(self)
        return try await ServedRoutes.$now.withValue(now) {
            var ids: [String] = []
            for format in formats {
                let asked = try await caller.send(
                    .post, "/v1/exports",
                    json: #"{"format":"\#(format.rawValue)","filter":\#(filter),"asOf":"\#(day)"}"#)
                ids.append(try #require(try asked.text("id"), "\(String(buffer: asked.body))"))
            }
            try await makeExports()
            return ids
        }
    }

    /// Imports rows with the scientific names of species, into a dataset of their own.
    func importRows(
        of names: [String], into title: String, locality: String = "a pond", republish: Republishing = .yes
    ) async throws {
        let head = ["occurrenceID", "scientificName", "eventDate", "decimalLatitude", "decimalLongitude"]
        let more = ["locality", "eventID", "plot", "references", "individualCount"]
        let rows = names.enumerated().map { index, name in
            ["id-\(locality)-\(index)", name, "2019-05-04", "45.512345", "-122.612345"]
                + ["by \(locality)", "event \(locality)", locality, "https://x.org/\(locality)", "7"]
        }
        try await withTable([head + more] + rows) { file in
            var request = OccurrenceImportRequest(file: file, dataset: try DatasetTitle(title))
            (request.licence, request.republish) = (.by, republish)
            let names = TaxonNames(try await LoggedTaxa(cases.ground.pool).entries())
            let summary = try await OccurrenceImport(
                log: cases.imports, names: names, places: cases.ground.places.index
            ).run(request)
            #expect(summary.accepted == rows.count && summary.rejectedTotal == 0, "\(title)")
        }
    }
}
