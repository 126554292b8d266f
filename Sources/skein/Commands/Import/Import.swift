import ArgumentParser

/// `skein import`
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring records, taxa or a sensitivity list into the log, or take an import back.",
        subcommands: [Occurrences.self, Taxa.self, Sensitivity.self, List.self, Undo.self])
}
