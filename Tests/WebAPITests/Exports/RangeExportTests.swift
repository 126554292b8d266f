import Domain
import Exchange
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import TestSupport
import Testing

@testable import Service
@testable import Web

/// Exports in the format `ranges`.
struct RangeExportTests {
    /// Columns and the members of the route that have the same figures.
    private static let members: [String: String] = [
        "from": "from", "to": "to", "week": "week", "records": "records", "cells": "cells", "visits": "visits",
        "observers": "observers",
        "generalised": "generalised", "southLatitude": "south.extreme.latitude",
        "southSightingID": "south.extreme.sightingId", "southMeanOf10Cells": "south.meanOf10Cells",
        "southGamma95": "south.gamma95.latitude", "southGammaShape": "south.gamma95.shape",
        "southGammaScale": "south.gamma95.scale", "southGammaReference": "south.gamma95.reference",
        "southGammaCells": "south.gamma95.cells", "q05": "south.q05", "q10": "south.q10",
        "southTruncated": "south.truncated", "northLatitude": "north.extreme.latitude",
        "northSightingID": "north.extreme.sightingId", "northMeanOf10Cells": "north.meanOf10Cells",
        "northGamma95": "north.gamma95.latitude", "q90": "north.q90", "q95": "north.q95",
        "northTruncated": "north.truncated", "q50": "q50", "centroidLatitude": "centroid.latitude",
        "centroidLongitude": "centroid.longitude", "hullKm2": "hullKm2", "eooKm2": "eoo.km2",
        "eooIucnKm2": "eoo.iucnKm2", "eooReason": "eoo.reason", "aooKm2": "aoo.km2", "aooMinKm2": "aoo.minKm2",
        "aooMaxKm2": "aoo.maxKm2",
    ]

    private static func expect(_ rows: [[String: String]], toBeThoseOf items: [JSONValue]) throws {
        try #require(rows.count == items.count)
        for (row, item) in zip(rows, items) {
            #expect(row["region"] == item["region"]?.string)
            for (column, path) in members {
                let member = path.split(separator: ".").reduce(item as JSONValue?) { $0?[String($1)] }
                let text = try #require(row[column], "\(column)")
                switch member {
                case nil, .null?: #expect(text == "", "\(column)")
                case .string(let value)?: #expect(text == value, "\(column)")
                case .boolean(let value)?: #expect(text == String(value), "\(column)")
                case let value?:
                    let tolerance = column.hasSuffix("Km2") || column.hasSuffix("Scale") ? 0.006 : 0.000_000_6
                    let number = try #require(value.number, "\(column)")
                    #expect(abs(try #require(Double(text)) - number) < tolerance, "\(column)")
                }
            }
            var left: [String: Int] = [:]
            for one in item["leftOut"]?.items ?? [] {
                left[(one["reason"]?.string ?? "").lowercased()] = one["records"]?.integer
            }
            for (column, text) in row where column.hasPrefix("leftOut") {
                #expect(text == String(left[column.dropFirst(7).lowercased()] ?? 0), "\(column)")
            }
            let missing = (item["missing"]?.items ?? []).map {
                "\($0["member"]?.string ?? "")=\($0["reason"]?.string ?? "")"
            }
            #expect(row["missing"] == missing.joined(separator: ";"))
        }
    }

    @Test func `a table has the figures of the route`() async throws {
        try await RangeExportScene.run { scene in
            for number in 0..<24 {
                let place = (40.013 + 0.31 * Double(number), -121.4 + 0.2 * Double(number % 7))
                try await scene.ranges.add(at: place, on: "202\(number % 12 == 0 ? 4 : 5)-05-1\(number % 10)")
            }
            try await scene.ranges.add(at: (39.9, -121.4), more: #","captive":true"#)
            try await scene.ranges.add(at: (39.8, -121.4), more: #","uncertaintyMetres":20000"#)
            let day = scene.exports.day
            let wren = scene.ranges.wren
            for (filter, query) in [
                ("", ""), (#","period":"week-of-year","cellKm":50"#, "&period=week-of-year&cellKm=50"),
                (
                    #","region":"california","end":"south","maxUncertaintyMetres":30000"#,
                    "&region=california&end=south&maxUncertaintyMetres=30000"
                ),
            ] {
                let id = try await scene.make(#""taxa":["\#(wren)"]\#(filter)"#, asOf: day)
                let route = try await scene.exports.send(
                    .get, "/v1/taxa/\(wren)/ranges?asOf=\(day)&status=approved,accepted-by-source\(query)")
                let items = try #require(try route["items"]?.items)
                let rows = try await scene.rows(id)
                #expect(rows.count > 3)
                try Self.expect(rows, toBeThoseOf: items)
                #expect(rows.allSatisfy { $0["taxon"] == wren && $0["scientificName"] == "Troglodytes pacificus" })
                let manifest = try await scene.exports.send(.get, "/v1/exports/\(id)/manifest")
                #expect(
                    try manifest["rows"]?.integer == rows.count
                        && manifest["columns"]?.items.count == RangeColumn.allCases.count)
                #expect(try manifest["columns.0.term"] != .null && manifest["columns.6.term"] == .null)
                #expect(
                    try manifest.text("filter.taxa.0") == wren && manifest.text("title")?.hasPrefix("Ranges of") == true
                )
                #expect(try manifest.text("citation")?.contains("26 records") == true)
                // The id follows from the request.
                #expect(try await scene.make(#""taxa":["\#(wren)"]\#(filter)"#, asOf: day) == id)
            }
        }
    }

    @Test func `a kind has a table of its species, sorted by name`() async throws {
        try await RangeExportScene.run { scene in
            try await scene.ranges.add(at: (47.6, -122.4))
            try await scene.ranges.add("Song Sparrow", at: (46.6, -122.4))
            let rows = try await scene.rows(try await scene.make(#""kind":"bird""#))
            let names = rows.filter { $0["region"] == "all" }.compactMap { $0["scientificName"] }
            #expect(names == ["Melospiza melodia", "Troglodytes pacificus"])
            let both = rows.filter { $0["region"] == "all" }.compactMap { $0["taxon"] }
            let list = both.reversed().map { "\"\($0)\"" }.joined(separator: ",")
            #expect(try await scene.rows(try await scene.make(#""taxa":[\#(list)]"#)) == rows)
        }
    }

    @Test func `a table without a record is that of the others`() async throws {
        try await RangeExportScene.run { scene in
            let southern = try await scene.ranges.add(at: (45.1, -122.4))
            try await scene.ranges.add(at: (47.6, -122.4))
            let taxon = #""taxon":"\#(scene.ranges.wren)""#
            let whole = try #require(try await scene.rows(try await scene.make(taxon)).first)
            #expect(whole["southSightingID"] == southern && whole["records"] == "2")
            let id = try await scene.make(#"\#(taxon),"without":["\#(southern)"]"#)
            let rest = try #require(try await scene.rows(id).first)
            #expect(rest["southLatitude"] == "47.6" && rest["records"] == "1" && rest["region"] == "all")
            let manifest = try await scene.exports.send(.get, "/v1/exports/\(id)/manifest")
            #expect(try manifest.text("filter.without.0") == southern)
            #expect(try manifest.text("title")?.contains("without 1 record") == true)
        }
    }

    @Test func `a table that is made again after later records has the same bytes`() async throws {
        try await RangeExportScene.run { scene in
            try await scene.ranges.add(at: (47.6, -122.4))
            let id = try await scene.make()
            let bytes = try await scene.exports.data(id).body
            try await scene.ranges.add(at: (45.1, -122.4))
            try await scene.exports.served.cases.exports.settings.store.evictAll(scene.exports.served.database)
            #expect(try await scene.exports.data(id).problem == "export-not-ready")
            try await scene.exports.make()
            let again = try await scene.exports.data(id)
            #expect(again.status == .ok && again.body == bytes)
            #expect(try await scene.rows(try await scene.make()) != scene.rows(id))
        }
    }

    @Test func `a restriction of a record that a table counts or leaves out ends the revision`() async throws {
        try await RangeExportScene.run { scene in
            let captive = try await scene.ranges.add(at: (47.6, -122.4), more: #","captive":true"#)
            let other = try await scene.ranges.add("Song Sparrow", at: (46.6, -122.4))
            let counted = try await scene.ranges.add(at: (45.6, -122.4))
            let taxon = #""taxa":["\#(scene.ranges.wren)"]"#
            let table = try await scene.make(taxon)
            let wild = try await scene.make(#"\#(taxon),"captive":false"#)
            func narrow(_ id: String) async throws {
                let narrowed = try await scene.ranges.owner.send(
                    .patch, "/v1/me/findings/\(id)", headers: [.ifMatch: "*"], json: #"{"geoprivacy":"obscured"}"#)
                try #require(narrowed.status == .ok)
                try await scene.exports.served.followToHead()
                try await scene.exports.served.cases.exports.watch.look()
                try await scene.exports.served.followToHead()
            }
            func state(_ id: String) async throws -> String? {
                try await scene.exports.send(.get, "/v1/exports/\(id)").text("revisions.0.state")
            }
            try await narrow(other)
            #expect(try await state(table) == "current")
            try await narrow(captive)
            #expect(try await state(table) == "restricted")
            #expect(try await state(wild) == "current")
            let gone = try await scene.diff(wild, table)
            #expect(try gone.status == .gone && gone.problem == "export-restricted")
            #expect(gone.headers[.link]?.contains("/v1/exports/\(table)/data?revision=2") == true)
            try await narrow(counted)
            #expect(try await state(wild) == "restricted")
        }
    }

    @Test func `all faults of a request are named, and its members are those of one format`() async throws {
        try await RangeExportScene.run { scene in
            let wren = scene.ranges.wren
            func faults(_ format: String, _ filter: String) async throws -> Set<String> {
                let answer = try await scene.exports.ask(
                    #"{"format":"\#(format)","filter":\#(filter)}"#, by: scene.caller)
                #expect(answer.status == .unprocessableContent, "\(filter)")
                return Set(try answer.faults)
            }
            #expect(try await faults("ranges", "null") == ["/filter/taxa"])
            #expect(try await faults("ranges", "{}") == ["/filter/taxa"])
            #expect(try await faults("ranges", #"{"kind":"bird","taxon":"\#(wren)"}"#) == ["/filter/kind"])
            #expect(try await faults("ranges", #"{"taxa":["\#(wren)"],"kind":"bird"}"#) == ["/filter/taxa"])
            #expect(
                try await faults(
                    "ranges", #"{"kind":"bird","period":"month","end":"east","cellKm":4,"prompted":1,"without":[]}"#)
                    == ["/filter/period", "/filter/end", "/filter/cellKm", "/filter/prompted", "/filter/without"])
            #expect(try await faults("ranges", #"{"taxa":["\#(UUID())"]}"#) == ["/filter/taxa"])
            let members =
                #"{"taxa":["\#(wren)"],"period":"year","end":"south","cellKm":10,"prompted":false,"#
                + #""without":["\#(wren)"]}"#
            let names = ["taxa", "period", "end", "cellKm", "prompted", "without"].map { "/filter/\($0)" }
            #expect(try await faults("csv", members) == Set(names))
            let birds = try #require(try await scene.ranges.stranger.send(.get, "/v1/taxa?q=Aves").text("items.0.id"))
            for filter in [#"{"taxa":["\#(birds)","\#(wren)"]}"#, #"{"taxon":"\#(birds)"}"#] {
                let high = try await scene.exports.ask(#"{"format":"ranges","filter":\#(filter)}"#, by: scene.caller)
                #expect(try high.status == .unprocessableContent && high.problem == "rank-too-high")
            }
        }
    }
}
