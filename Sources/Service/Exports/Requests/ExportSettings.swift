import Domain
import FoundationEssentials
package import PhotoStore

/// Where exports are kept, and how many and how large they may be.
package struct ExportSettings: Sendable {
    /// Limits of requests and of exports; nil for no limit.
    package struct Limits: Hashable, Sendable {
        /// Unfinished exports that an account may wait for.
        package var unfinished: Int? = 1
        /// Exports that an account may have made in a day (UTC).
        package var perDay: Int? = 20
        /// The same before the account's address is verified.
        package var unverifiedPerDay: Int? = 2
        /// Exports that may wait to be made.
        package var waiting: Int? = 100
        /// Exports whose missing bytes or next revision may wait to be made: anyone can request these.
        package var remakes: Int? = 20
        /// How long an export may take.
        package var duration: Duration? = .seconds(3_600)
        /// Bytes that an export may have.
        package var bytes: Int? = 10_000_000_000

        /// The defaults.
        package init() {}
    }

    package var store: any PhotoStore
    /// For exports while they are made; each process has a part of it for itself.
    package var folder: String
    /// Free space of the file systems that exports are written to.
    package var disk: DiskSpace
    /// Bytes of all exports in the store.
    package var storedBytes: Int? = 20_000_000_000
    package var limits = Limits()
    package var site = ExportSite()
    /// Keeps the folder from other processes.
    private var claim: ClaimedFolder?

    /// - Parameter disk: by default, all of it may be used.
    package init(store: any PhotoStore, folder: String, disk: DiskSpace? = nil) {
        (self.store, self.folder) = (store, folder)
        self.disk = disk ?? DiskSpace(of: [folder])
    }

    /// The same with a folder of this process alone; those of processes that have ended are removed. Called once,
    /// before the first export is made.
    /// - Throws: `FileLock.Failure`; what making a folder throws.
    package func withClaimedFolder() throws -> ExportSettings {
        let claim = try ClaimedFolder(in: folder)
        var settings = self
        (settings.folder, settings.claim) = (claim.path, claim)
        return settings
    }
}

/// The address and the publisher that exports name.
package struct ExportSite: Hashable, Sendable {
    /// The names of the settings.
    package enum Setting: String, CaseIterable, Sendable {
        case address = "SKEIN_PUBLIC_URL"
        case organisation = "SKEIN_ORGANISATION"
        case contact = "SKEIN_CONTACT"
    }

    /// The public address, without a slash at its end.
    package var address: String?
    /// The organisation that publishes the data.
    package var organisation: String?
    /// An address of mail, or of a page.
    package var contact: String?
    /// The version of the borders, which decide whether a range is truncated.
    var polygons: PolygonSetCode?

    package init(address: String? = nil, organisation: String? = nil, contact: String? = nil) {
        (self.address, self.organisation, self.contact) = (address, organisation, contact)
    }

    /// The settings that a format needs and that are not set.
    func missing(for format: ExportFormat) -> [Setting] {
        guard format == .dwca else { return [] }
        let values: [Setting: String?] = [.address: address, .organisation: organisation, .contact: contact]
        return Setting.allCases.filter { (values[$0] ?? nil) == nil }
    }

    /// A keyed hash of the settings that the bytes of a format name, and for tables of ranges of the borders; nil if
    /// none of them is set.
    func fingerprint(for format: ExportFormat, _ signer: CommandSigner) -> Fingerprint? {
        let parts =
            switch format {
            case .dwca: [address, organisation, contact]
            case .ranges: [address, polygons?.text]
            case .csv, .tsv, .geojson, .geojsonseq, .survey: [address]
            }
        guard parts.contains(where: { $0 != nil }) else { return nil }
        let id = signer.id(of: ["export site"] + parts.map { $0 ?? "" })
        return Fingerprint(unchecked: id.uuidString.lowercased().filter { $0 != "-" })
    }

    /// Whether this program, with these settings and borders, makes the bytes of a query.
    func makes(_ query: ExportQuery, _ signer: CommandSigner) -> Bool {
        query.outputVersion == ExportOutput.version && query.site == fingerprint(for: query.format, signer)
    }
}

/// The version of the rules by which records become bytes.
enum ExportOutput {
    /// Raised by every release that makes other bytes of the same records: exports of earlier versions then cannot be
    /// made again.
    static let version = 1
}
