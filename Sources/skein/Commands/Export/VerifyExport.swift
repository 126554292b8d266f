import ArgumentParser
import Domain
import Logging
import Service

extension Export {
    /// `skein export verify`
    struct Verify: ExportCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an export of the service again, and compare the bytes with its newest revision.",
            discussion: """
                Prints `identical`; or, if restrictions explain other bytes, `restricted` with the number of records \
                that have been removed, added or replaced since. A record that was generalised is replaced. Records \
                that only lost a name or a text are not counted. Exits with status 1 if the bytes differ otherwise, or \
                cannot be made again, and prints why. Nothing is recorded.
                """)

        @OptionGroup var options: DatabaseOptions

        @Argument(help: "The id of the export.")
        var id: ExportID

        func run(with session: ExportSession) async throws {
            let settings = try session.settings.withClaimedFolder()
            let files = session.cases.exports.files(over: session.pool, in: settings.folder, disk: settings.disk)
            do {
                let (recorded, verdict) = try await Interruption.cancelling { try await files.verify(id) }
                print(Self.text(verdict, recorded))
                guard verdict.isExpected else { throw ExitCode(1) }
            } catch CommandError.notFound {
                throw ValidationError("there is no export with this id")
            } catch CommandError.gone {
                throw ValidationError("the request for this export was redacted")
            }
            withExtendedLifetime(settings) {}
        }

        private static func text(_ verdict: ExportVerdict, _ recorded: ExportMade?) -> String {
            switch verdict {
            case .identical:
                let made = recorded.map { "revision \($0.revision), \($0.rows) records, SHA-256 \($0.sha256.text)" }
                return "identical: \(made ?? "")"
            case .restricted(let records):
                return records == 0
                    ? "restricted: 0 records were removed, added or replaced; others have lost names, texts or photos"
                    : "restricted: \(records) record\(records == 1 ? " was" : "s were") removed, added or replaced"
            case .different(let made):
                guard let recorded else { return "different" }
                return differences(recorded, made).joined(separator: "\n")
            case .notMade(let state):
                return "the export was not made: it is \(state.rawValue)"
            case .otherOutput(let version):
                return """
                    the export cannot be made again: it has output version \(version), and SKEIN_PUBLIC_URL, \
                    SKEIN_ORGANISATION and SKEIN_CONTACT of then; this program makes other bytes
                    """
            }
        }

        private static func differences(_ recorded: ExportMade, _ made: ExportMade) -> [String] {
            func line(_ what: String, _ before: some CustomStringConvertible, _ after: some CustomStringConvertible)
                -> String
            {
                "\(what): \(before) recorded, \(after) made again"
            }
            var lines = ["different"]
            if recorded.rows != made.rows { lines.append(line("records", recorded.rows, made.rows)) }
            if recorded.bytes != made.bytes { lines.append(line("bytes", recorded.bytes, made.bytes)) }
            for (before, after) in zip(recorded.members, made.members) where before != after {
                lines.append(line(before.name.text, before.sha256.text, after.sha256.text))
            }
            lines.append(line("SHA-256", recorded.sha256.text, made.sha256.text))
            return lines
        }
    }
}

extension ExportID: ExpressibleByArgument {}
