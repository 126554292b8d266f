import Foundation
import TestSupport
import Testing

@Suite("Two versions side by side", .served)
struct UpgradeTests {
    @Test func `a process goes on while one with a further migration has joined it`() async throws {
        let old = try ServedSkein.required
        let share = try newerInstallation(in: old.folder)
        try await old.joined(by: ["SKEIN_SHARE_DIR": share]) { new in
            let ready = try await old.operations("/readyz")
            #expect(ready.status == 200)
            #expect(String(decoding: ready.body, as: UTF8.self).contains("_add_nest.sql"))
            for service in [old, new] {
                let birder = try await Birder.register(service)
                #expect(try await birder.submit().status == 201)
            }
        }
        #expect(try await Birder.register(old).submit().status == 201)
    }

    /// The files of this installation and one migration more.
    /// - Returns: its `share`.
    private func newerInstallation(in folder: String) throws -> String {
        let (files, root) = (FileManager.default, folder + "/newer")
        try files.createDirectory(atPath: root, withIntermediateDirectories: true)
        for name in ["share", "openapi.yaml"] {
            try files.createSymbolicLink(
                atPath: root + "/" + name, withDestinationPath: PackageRoot.path + "/" + name)
        }
        try files.copyItem(atPath: PackageRoot.path + "/migrations", toPath: root + "/migrations")
        let count = try files.contentsOfDirectory(atPath: root + "/migrations").count
        let name = String(format: "%04d_add_nest.sql", count + 1)
        try "create table public.nests (id bigint);".write(
            toFile: root + "/migrations/" + name, atomically: true, encoding: .utf8)
        return root + "/share"
    }
}
