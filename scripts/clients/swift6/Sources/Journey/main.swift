// Signs up, logs in, submits, lists and maps with the client of openapi-generator's `swift6`.

import Foundation
import OpenAPIClient

struct Unexpected: Error {
    let what: String
}

func check(_ condition: Bool, _ what: String) throws {
    if !condition { throw Unexpected(what: what) }
}

let (url, email, password) = (CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3])
let configuration = OpenAPIClientAPIConfiguration.shared
configuration.basePath = url
let registration = Registration(email: email, password: password, name: "Maria Alvarez", oldEnough: true)
let account = try await AccountsAPI.registerAccount(idempotencyKey: UUID().uuidString, registration: registration)
let session = try await AccountsAPI.logIn(credentials: Credentials(email: email, password: password))
try check(session.account.id == account.id, "another account")

configuration.customHeaders["Authorization"] = "Bearer \(session.accessToken)"
let sighting = NewSighting(
    name: "Pacific Wren", count: 2, confidence: 8, observedAt: "2026-05-01T07:30:00-07:00", latitude: 47.6577,
    longitude: -122.4056)
let answer = try await SightingsAPI.submitSightingWithRequestBuilder(
    idempotencyKey: UUID().uuidString, newSighting: sighting
).execute()
let finding = answer.body
try check(finding.taxon?.scientificName == "Troglodytes pacificus", "another taxon")

let position = answer.header["Log-Position"]
let page = try await FindingsAPI.listFindings(logPosition: position)
try check(page.items.map(\.id) == [finding.id], "another list")
let map = try await MapsAPI.getOwnMap(logPosition: position)
guard case .typePointFeature(let feature)? = map.features.first else { throw Unexpected(what: "no point") }
try check(feature.id == finding.id, "another map")
