/// An account asked for an export.
package struct ExportRequested: EventPayload {
    package static let type = "ExportRequested"
    /// Never public.
    package var account: AccountID
    package var query: ExportQuery

    static let shape = Shape<Self>(Self.init, .required("account", \.account), .flat(\.query))

    package init(account: AccountID, query: ExportQuery) {
        (self.account, self.query) = (account, query)
    }
}

/// Another account asked for the same export.
package struct ExportJoined: EventPayload {
    package static let type = "ExportJoined"
    package var account: AccountID

    static let shape = Shape<Self>(Self.init, .required("account", \.account))
}

/// An account no longer asks for the export: it is made, or others ask for it.
package struct ExportLeft: EventPayload {
    package static let type = "ExportLeft"
    package var account: AccountID

    static let shape = Shape<Self>(Self.init, .required("account", \.account))
}

/// The last account that asked for an export cancelled it before it was made.
package struct ExportCancelled: EventPayload {
    package static let type = "ExportCancelled"
    package var account: AccountID

    static let shape = Shape<Self>(Self.init, .required("account", \.account))
}

/// An export could not be made.
package struct ExportFailed: EventPayload {
    package static let type = "ExportFailed"
    package var reason: ExportFailure

    static let shape = Shape<Self>(Self.init, .required("reason", \.reason))

    package init(reason: ExportFailure) {
        self.reason = reason
    }
}

/// An account asked again for an export that was cancelled or had failed.
package struct ExportReopened: EventPayload {
    package static let type = "ExportReopened"
    package var account: AccountID

    static let shape = Shape<Self>(Self.init, .required("account", \.account))
}

/// A revision of an export was made, and its bytes stored.
package struct ExportMade: EventPayload {
    package static let type = "ExportMade"
    /// From 1.
    package var revision: Int
    package var moment: ExportMoment
    package var rows: Int
    package var bytes: Int
    /// The SHA-256 of the bytes.
    package var sha256: Fingerprint
    /// The files in it, if it is an archive.
    package var members: [ExportMember]
    package var licences: [LicensedRows]
    package var datasets: [DatasetRows]
    package var leftOut: ExportOmissions
    /// Rows whose place or time is generalised.
    package var generalised: Int
    /// Control characters of values that became spaces.
    package var replacedCharacters: Int
    /// The borders that the program had that made it; earlier events do not have it.
    package var polygons: PolygonSetCode?
    /// That program; earlier events do not have it.
    package var software: SoftwareName?

    static let shape = Shape<Self>(
        Self.init,
        .integer("revision", \.revision),
        .flat(\.moment),
        .integer("rows", \.rows),
        .integer("bytes", \.bytes),
        .required("sha256", \.sha256),
        .list("members", \.members),
        .list("licences", \.licences),
        .list("datasets", \.datasets),
        .required("leftOut", \.leftOut),
        .integer("generalised", \.generalised),
        .integer("replacedCharacters", \.replacedCharacters),
        .optional("polygons", \.polygons),
        .optional("software", \.software))

    package init(
        revision: Int, moment: ExportMoment, rows: Int, bytes: Int, sha256: Fingerprint, members: [ExportMember] = [],
        licences: [LicensedRows] = [], datasets: [DatasetRows] = [], leftOut: ExportOmissions = ExportOmissions(),
        generalised: Int = 0, replacedCharacters: Int = 0, polygons: PolygonSetCode? = nil,
        software: SoftwareName? = nil
    ) {
        (self.revision, self.moment, self.rows, self.bytes) = (revision, moment, rows, bytes)
        (self.sha256, self.members, self.licences, self.datasets) = (sha256, members, licences, datasets)
        (self.leftOut, self.generalised, self.replacedCharacters) = (leftOut, generalised, replacedCharacters)
        (self.polygons, self.software) = (polygons, software)
    }
}
