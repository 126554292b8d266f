package import Domain
package import JSON

/// A region with the names of its states.
package struct NamedRegion: JSONRepresentable {
    let region: Region
    /// A state's name by its ISO 3166-2 code.
    let stateNames: [StateCode: String]

    package init(region: Region, stateNames: [StateCode: String]) {
        self.region = region
        self.stateNames = stateNames
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("code", region.code)
            writer.field("name", region.name)
            writer.field("zone", region.zone)
            writer.field("states", array: region.members.sorted { $0.text < $1.text }) { writer, state in
                writer.object { writer in
                    writer.field("code", state)
                    writer.field("name", stateNames[state] ?? state.text)
                }
            }
        }
    }
}
