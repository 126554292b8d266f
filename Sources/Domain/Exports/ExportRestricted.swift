/// A restriction, or the turn of a month, touched a record of a revision: its bytes may not be given out any more.
package struct ExportRestricted: EventPayload {
    package static let type = "ExportRestricted"
    package var revision: Int

    static let shape = Shape<Self>(Self.init, .integer("revision", \.revision))

    package init(revision: Int) {
        self.revision = revision
    }
}
