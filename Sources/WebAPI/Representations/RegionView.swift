/// A group of states, provinces and territories with one zone that defines its week.
package struct RegionView: Hashable, Sendable, JSONRepresentable {
    /// A state, province or territory.
    package struct State: Hashable, Sendable, JSONRepresentable {
        /// ISO 3166-2.
        package var code: String
        /// Its English name.
        package var name: String

        /// Fills in everything.
        package init(code: String, name: String) {
            self.code = code
            self.name = name
        }

        /// Writes the state.
        package func write(to writer: inout JSONWriter) {
            writer.object { writer in
                writer.field("code", code)
                writer.field("name", name)
            }
        }
    }

    /// The region's code.
    package var code: String
    /// Its English name.
    package var name: String
    /// The IANA zone of its week.
    package var zone: String
    /// What belongs to it.
    package var states: [State]

    /// Fills in everything.
    package init(code: String, name: String, zone: String, states: [State]) {
        self.code = code
        self.name = name
        self.zone = zone
        self.states = states
    }

    /// Writes the region with its states.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("code", code)
            writer.field("name", name)
            writer.field("zone", zone)
            writer.field("states", states)
        }
    }
}
