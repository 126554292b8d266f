package import EventLog

/// A read model lacks events on which an answer or a command depends; the command was not carried out.
package struct ModelBehind: Error, CustomStringConvertible {
    let model: String
    let position: Int64
    /// The position that it should have at least.
    let required: Int64

    package init(_ model: ReadModel, at position: Int64, of required: Int64) {
        (self.model, self.position, self.required) = (model.name, position, required)
    }

    package var description: String {
        "the read model \(model) is at \(position) of \(required); if the service is not running, start it"
    }
}
