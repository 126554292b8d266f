import Testing

@testable import Domain

struct DatasetDeciderTests {
    private let batch: BatchID = Samples.id(41)
    private let registered = DatasetEvent.registered(DatasetRegistered(licence: nil, republish: .no))
    private var started: DatasetEvent { .importStarted(ImportStarted(batch: batch, file: Samples.fingerprint)) }
    private var totals: ImportFinished {
        ImportFinished(batch: batch, accepted: 5, known: 0, corrected: 0, withdrawn: 0, rejected: 1)
    }

    @Test func `a dataset becomes known once`() throws {
        var command = RegisterDataset(title: try DatasetTitle("Breeding birds"))
        command.publisher = try CreditLine("USGS")
        let outcome = given(DatasetDecider.self).when(.register(command)).then([registered]).keeps([
            ContentWrite(event: 0, field: .title, value: "Breeding birds"),
            ContentWrite(event: 0, field: .publisher, value: "USGS"),
        ])
        #expect(outcome.decision?.reservations == [Reservation(kind: .dataset, text: "Breeding birds")])
        given(DatasetDecider.self, [registered]).when(.register(command)).thenNothing()
    }

    @Test func `only texts that differ are written, and only a new title is reserved`() throws {
        var command = DescribeDataset()
        command.title = try DatasetTitle("Breeding birds")
        (command.publisher, command.citation) = (.set(try CreditLine("USGS")), .cleared)
        command.kept = [.title: "Breding birds", .publisher: "USGS", .citation: "C", .rightsHolder: "R"]
        let outcome = given(DatasetDecider.self, [registered]).when(.describe(command))
            .then([.described(DatasetDescribed(content: [.title, .citation]))]).keeps([
                ContentWrite(event: 0, field: .title, value: "Breeding birds"),
                ContentWrite(event: 0, field: .citation, value: nil),
            ])
        #expect(outcome.decision?.reservations == [Reservation(kind: .dataset, text: "Breeding birds")])
        #expect(outcome.next == outcome.state)
        command.kept[.title] = "Breeding birds"
        let credits = given(DatasetDecider.self, [registered]).when(.describe(command))
            .then([.described(DatasetDescribed(content: [.citation]))])
        #expect(credits.decision?.reservations == [])
        command.kept[.citation] = nil
        given(DatasetDecider.self, [registered]).when(.describe(command)).thenNothing()
    }

    @Test func `a dataset whose registration was redacted can get a title again`() throws {
        var command = DescribeDataset()
        command.title = try DatasetTitle("Breeding birds")
        given(DatasetDecider.self, [.redacted(EveryEvent.redacted(DatasetRegistered.type))]).when(.describe(command))
            .then([.described(DatasetDescribed(content: [.title]))])
        given(DatasetDecider.self).when(.describe(command)).thenRejected(.notFound)
    }

    @Test func `an import starts finishes and is undone`() throws {
        let start = DatasetCommand.startImport(
            StartImport(batch: batch, file: Samples.fingerprint, fileName: try FileName("wrens.csv")))
        given(DatasetDecider.self, [registered]).when(start).then([started])
            .keeps([ContentWrite(event: 0, field: .fileName, value: "wrens.csv")])
        given(DatasetDecider.self, [registered, started]).when(start).thenNothing()
        given(DatasetDecider.self, [registered, started]).when(.finishImport(totals)).then([.importFinished(totals)])
        let finished = [registered, started, .importFinished(totals)]
        given(DatasetDecider.self, finished).when(.finishImport(totals)).thenNothing()
        var others = totals
        others.accepted = 6
        given(DatasetDecider.self, finished).when(.finishImport(others)).thenRejected(.alreadyFinished(batch))
        let undo = ImportUndone(batch: batch, withdrawn: 5)
        given(DatasetDecider.self, finished).when(.undoImport(undo)).then([.importUndone(undo)])
        given(DatasetDecider.self, [registered, started]).when(.undoImport(undo)).then([.importUndone(undo)])
        let undone = finished + [.importUndone(undo)]
        given(DatasetDecider.self, undone).when(.undoImport(undo)).thenNothing()
        given(DatasetDecider.self, undone).when(.finishImport(totals)).thenRejected(.batchUndone(batch))
        given(DatasetDecider.self, undone).when(start).thenRejected(.batchUndone(batch))
    }

    @Test func `what is not there is not found`() throws {
        given(DatasetDecider.self).when(.finishImport(totals)).thenRejected(.notFound)
        given(DatasetDecider.self, [registered]).when(.finishImport(totals)).thenRejected(.unknownBatch(batch))
        let undo = ImportUndone(batch: batch, withdrawn: 0)
        given(DatasetDecider.self, [registered]).when(.undoImport(undo)).thenRejected(.unknownBatch(batch))
    }
}
