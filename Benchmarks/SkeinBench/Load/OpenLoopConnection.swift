import Foundation
import NIOCore
import NIOHTTP1

/// A connection of the schedule: one request at a time.
final class OpenLoopConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let schedule: OpenLoopSchedule
    private let host: String
    private var context: ChannelHandlerContext?
    private var due = NIODeadline.now()
    private var status: UInt = 0

    init(_ schedule: OpenLoopSchedule, port: Int) {
        self.schedule = schedule
        host = "127.0.0.1:\(port)"
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func send(_ requests: OpenLoop.Requests, number: Int, token: String?, due: NIODeadline) {
        guard let context else { return }
        self.due = due
        var headers: HTTPHeaders = ["Host": host]
        if let token { headers.add(name: "Authorization", value: "Bearer " + token) }
        switch requests {
        case .submissions(let bodies):
            let bytes = context.channel.allocator.buffer(string: bodies[number % bodies.count])
            headers.add(name: "Content-Type", value: "application/json")
            headers.add(name: "Idempotency-Key", value: UUID().uuidString.lowercased())
            headers.add(name: "Content-Length", value: "\(bytes.readableBytes)")
            let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/v1/sightings", headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
        case .pages(let paths):
            let path = paths[number % paths.count]
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func close() {
        context?.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): status = head.status.code
        case .body: break
        case .end: schedule.answered(self, status: status, due: due)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        // Ignored when all have been answered: then it is we who close.
        schedule.fail(ProgramError(description: "the service closed a connection"))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        schedule.fail(error)
    }
}
