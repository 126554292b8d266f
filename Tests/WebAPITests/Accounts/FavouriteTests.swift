import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import Testing
import Vault

@testable import Service
@testable import WebAPI

extension RouteTests {
    private static let favourites = "/v1/me/favourites"

    @Test func `favourites come and go, and are one's own`() async throws {
        let served = try ServedRoutes.required
        let (birder, other) = (try await Caller.register(served), try await Caller.register(served))
        var ids: [String] = []
        for name in ["pacific+wren", "song+sparrow"] {
            ids.append(try #require(try await birder.send(.get, "/v1/taxa?q=\(name)").text("items.0.id")))
        }
        func list(_ caller: Caller) async throws -> [String] {
            try await caller.send(.get, Self.favourites)["items"]?.items.compactMap { $0["taxon"]?["id"]?.string } ?? []
        }
        for id in ids + ids { #expect(try await birder.send(.put, "\(Self.favourites)/\(id)").status == .noContent) }
        #expect(try await list(birder) == ids.reversed())
        #expect(try await list(other) == [])
        for _ in 0..<2 {
            #expect(try await birder.send(.delete, "\(Self.favourites)/\(ids[0])").status == .noContent)
        }
        #expect(try await list(birder) == [ids[1]])
        for unknown in ["\(UUID())", "wren"] {
            #expect(try await birder.send(.put, "\(Self.favourites)/\(unknown)").problem == "not-found")
        }
    }

    @Test func `there is a limit to favourites, also for requests that come at once`() async throws {
        let served = try ServedRoutes.required
        let account = try #require(try await Caller.register(served).account)
        let store = Favourites(database: served.cases.ground.pool)
        let taxa = (0..<Favourites.most + 5).map { _ in TaxonID(UUID()) }
        let added = try await withThrowingTaskGroup(of: Bool.self) { group in
            for taxon in taxa { group.addTask { try await store.add(taxon, to: account) } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(added == Favourites.most)
        let kept = try await store.favourites(of: account)
        #expect(kept.count == Favourites.most)
        let first = try #require(kept.first)
        #expect(try await store.add(first.taxon, to: account), "it is there already")
        await #expect(throws: FavouriteRejection.self) {
            let wren = try #require(served.cases.ground.catalogue.names.search("wren", limit: 1).first?.taxon)
            try await FavouriteService(favourites: store, catalogue: served.cases.ground.catalogue)
                .add(wren, to: account)
        }
    }
}
