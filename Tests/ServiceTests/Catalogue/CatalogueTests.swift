import Domain
import EventLog
import Foundation
import Logging
import NIOConcurrencyHelpers
import ReadModels
import Testing

@testable import Service

struct CatalogueTests {
    /// Taxa that a test changes.
    private final class Taxa: Catalogue.Source {
        let stored = NIOLockedValueBox<(entries: [TaxonEntry], position: Int64)>(([], 0))
        let loads = NIOLockedValueBox(0)

        func add(_ name: String, at position: Int64) {
            let entry = TaxonEntry(id: TaxonID(UUID()), rank: .species, kind: .bird, scientificName: name)
            stored.withLockedValue { $0 = ($0.entries + [entry], position) }
        }

        func changed(since position: Int64) async throws -> Bool { stored.withLockedValue { $0.position > position } }

        func taxa() async throws -> (entries: [TaxonEntry], position: Int64) {
            loads.withLockedValue { $0 += 1 }
            return stored.withLockedValue { $0 }
        }
    }

    @Test func `taxa are loaded when they have changed, and only then`() async throws {
        let taxa = Taxa()
        let catalogue = Catalogue(taxa, logger: Logger(label: "catalogue") { _ in SwiftLogNoOpLogHandler() })
        try await catalogue.refresh()
        #expect(catalogue.position == 0 && taxa.loads.withLockedValue { $0 } == 0)
        taxa.add("Troglodytes pacificus", at: 7)
        try await catalogue.refresh()
        try await catalogue.refresh()
        #expect(catalogue.position == 7 && taxa.loads.withLockedValue { $0 } == 1)
        #expect(catalogue.names.identification(of: "Troglodytes pacificus")?.taxon != nil)
        #expect(catalogue.names.identification(of: "Troglodytes hiemalis")?.taxon == nil)
    }

    @Test func `taxa of an older position do not replace newer ones`() async throws {
        let (taxa, behind) = (Taxa(), Taxa())
        let catalogue = Catalogue(taxa, logger: Logger(label: "catalogue") { _ in SwiftLogNoOpLogHandler() })
        behind.add("Troglodytes hiemalis", at: 8)
        try await catalogue.refresh(from: behind)
        taxa.add("Troglodytes pacificus", at: 9)
        try await catalogue.refresh()
        try await catalogue.refresh(from: behind)
        #expect(catalogue.position == 9)
        #expect(catalogue.names.identification(of: "Troglodytes pacificus")?.taxon != nil)
    }

    @Test func `a taxon whose first payload is redacted leaves the catalogue`() async throws {
        try await UseCaseFixture.run { fixture in
            let name = "Troglodytes pacificus"
            let command = AppendCommand(
                stream: UUID(), kind: "taxon", expectedVersion: 0, id: UUID(),
                fingerprint: [UInt8](repeating: 1, count: 16), actor: nil,
                events: [
                    .init(
                        type: "TaxonAdded", payload: #"{"scientificName":"\#(name)","rank":"species","kind":"bird"}"#)
                ])
            _ = try await fixture.log.appender.append(command)
            let position = try await fixture.follow()
            let catalogue = Catalogue(TaxonQueries(fixture.log.pool), logger: .quiet)
            try await catalogue.refresh()
            #expect(catalogue.names.identification(of: name)?.taxon != nil)
            try await fixture.redact(position)
            try await fixture.follow()
            try await catalogue.refresh()
            #expect(catalogue.names.identification(of: name)?.taxon == nil)
        }
    }
}
