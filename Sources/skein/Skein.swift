import ArgumentParser
import Service

/// The command line. Every command works on the database of `DATABASE_URL`, or on a private PostgreSQL in the data
/// directory.
@main
struct Skein: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skein",
        abstract: "An event-sourced backend for wildlife sightings.",
        discussion: DatabaseOptions.environmentHelp,
        version: Software.version,
        subcommands: [
            Serve.self, Import.self, Status.self, Migrate.self, Verify.self, Rebuild.self, Redact.self, Epoch.self,
            Clock.self, Accounts.self, Roles.self, Datasets.self, RotateTargets.self, Audit.self, Photos.self,
            Export.self, Render.self,
        ])
}
