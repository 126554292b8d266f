import Foundation

/// Bodies of `POST /v1/sightings` as an app sends them: about 350 bytes, with a note.
enum Submissions {
    private static let names = [
        "Pacific Wren", "Song Sparrow", "Steller's Jay", "Dark-eyed Junco", "American Robin", "Northern Flicker",
        "Bald Eagle", "Great Blue Heron",
    ]
    private static let notes = [
        "Singing from the root wad of a fallen hemlock beside the creek; answered by a second bird further up.",
        "Two adults feeding low in salmonberry, one with a green band on the left leg. Light rain, no wind.",
        "Heard first, then seen well for a minute at ten metres. Same territory as last week, near the bridge.",
    ]

    /// A body, different for each number up to some thousand.
    static func body(_ number: Int) -> String {
        let day = String(format: "%02d", number % 28 + 1)
        let (name, note) = (names[number % names.count], notes[number % notes.count])
        return """
            {"name":"\(name)","count":\(number % 4 + 1),"confidence":\(number % 10 + 1),\
            "observedAt":"2026-05-\(day)T07:30:00-07:00","latitude":\(47.2 + Double(number * 37 % 1_000) / 1_000),\
            "longitude":\(-122.9 + Double(number * 61 % 1_000) / 1_000),"uncertaintyMetres":25,"licence":"CC-BY-4.0",\
            "geoprivacy":"open","protocol":"stationary","notes":"\(note)"}
            """
    }

    static let bodies = (0..<500).map(body)

    /// Bodies of `POST /v1/sightings/batch` with a hundred items each, `@key@` where a key goes.
    static let batches = (0..<20).map { number in
        let items = (0..<100).map { #"{"key":"@key@","sighting":\#(body(number * 100 + $0))}"# }
        return #"{"items":[\#(items.joined(separator: ","))]}"#
    }
}
