import Domain
package import JSON
import ReadModels
package import Service

extension HistoryEntry: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            switch subject {
            case .sighting:
                writer.field("subject", ReviewItem.Subject.sighting)
                writer.field("photoId", JSONValue.null)
            case .photo(let photo):
                writer.field("subject", ReviewItem.Subject.photo)
                writer.field("photoId", photo)
            }
            writer.field("kind", kind)
            writer.field("version", version)
            switch recorded {
            case .at(let moment): writer.field("recordedAt", moment)
            case .on(let day): writer.field("recordedOn", day)
            }
            writer.field("by", by)
            switch cause {
            case .known(let name, let reasons, let note):
                writer.field("name", name)
                writer.field("reasons", reasons)
                writer.field("note", note)
            case .shown(let reason): writer.field("reason", reason)
            }
            writer.field("changes", changes)
            if let origin {
                writer.field("accountId", origin.account)
                writer.field("commandId", origin.command)
            }
        }
    }
}

extension HistoryEntry.Change: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("field", field)
            writer.field("before", before?.json ?? .null)
            writer.field("after", after?.json ?? .null)
        }
    }
}

extension HistoryEntry.Value {
    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .flag(let flag): .boolean(flag)
        }
    }
}
