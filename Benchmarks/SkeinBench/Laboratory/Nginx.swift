import Foundation

/// nginx with one worker, serving a folder on the loopback interface.
enum Nginx {
    /// - Throws: ``ProgramError`` if nginx is not installed or does not start.
    static func serving<Value>(
        _ files: String, _ laboratory: Laboratory, _ body: (APIClient) async throws -> Value
    ) async throws -> Value {
        let nginx = try program()
        let port = try await SkeinService.freePort()
        let folder = laboratory.folder + "/nginx"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(configuration(port, files, folder).utf8).write(to: URL(filePath: folder + "/nginx.conf"))
        let process = try Program.process(
            nginx.path, ["-c", folder + "/nginx.conf", "-p", folder, "-e", folder + "/error.log"], [:],
            output: folder + "/out.log")
        try process.runUnblocked()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        let client = APIClient(port: port)
        let deadline = ContinuousClock.now + .seconds(5)
        while (try? await client.get("/")) == nil {
            guard process.isRunning, .now < deadline else { throw ProgramError(description: "nginx did not start") }
            try await Task.sleep(for: .milliseconds(100))
        }
        return try await body(client)
    }

    /// Debian installs it in a directory that only root's PATH has.
    private static func program() throws -> Program {
        let path = "/usr/sbin/nginx"
        return FileManager.default.isExecutableFile(atPath: path) ? Program(path: path) : try Program("nginx")
    }

    /// Like the service, it logs a line for each request.
    private static func configuration(_ port: Int, _ files: String, _ folder: String) -> String {
        """
        user root;
        daemon off;
        worker_processes 1;
        pid \(folder)/nginx.pid;
        events { worker_connections 256; }
        http {
            access_log \(folder)/access.log;
            sendfile on;
            keepalive_requests 1000000;
            types { image/jpeg jpg; }
            server {
                listen 127.0.0.1:\(port);
                root \(files);
            }
        }
        """
    }
}
