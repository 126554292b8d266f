import Glibc
// A second process for the tests of the private server: uses the server of a data directory until its standard input
// ends. Prints how it came by the server, and at the end what became of it.
import Logging
import PrivateServer

var logger = Logger(label: "private-server-probe")
logger.logLevel = .error
guard let dataDirectory = CommandLine.arguments.dropFirst().first else {
    print("usage: private-server-probe DATA-DIRECTORY")
    exit(64)
}
let server = try await PrivateServer.startOrAdopt(dataDirectory: dataDirectory, settings: .tests, logger: logger)
print(server.origin)
fflush(nil)
while readLine() != nil {}
print(try await server.stop())
