import NIOCore
import NIOHTTP1

/// Guards a connection against requests that break the rules of HTTP, bodies that never end, and bodies of requests
/// that have been answered.
///
/// A rejected request waits until the answers to earlier ones have been written: answers keep the order of requests.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The body of a request did not arrive in time.
    struct BodyTimeout: Error {}

    /// The most bytes read of a body whose request has been answered.
    static let unwantedBytes = 64 * 1024

    /// The minimum bytes of a photo that must arrive within each deadline.
    static let imagePace = 30 * 1024

    private let bodyDeadline: TimeAmount
    private let images: RoutePaths
    /// Requests whose responses are not complete.
    private var unanswered = 0
    /// Whether each of these requests is a `HEAD`.
    private var heads = CircularBuffer<Bool>()
    /// Whether the body of the last request is still arriving.
    private var isReceiving = false
    /// Bytes of that body: announced by its head, and arrived.
    private var (announced, received) = (0, 0)
    /// Bytes of it that may still arrive after the response.
    private var spare = RequestGuard.unwantedBytes
    /// Whether the response announces that the connection ends, because the rest of the body is not wanted.
    private var isEnding = false
    /// The HTTP version of the last request.
    private var version = HTTPVersion.http1_1
    /// Whether an HTTP/1.0 client asked to keep the connection.
    private var isKept = false
    private var timeout: Scheduled<Void>?
    /// The status of a rejected request; nothing after it is read.
    private var rejection: HTTPResponseStatus?

    /// - Parameter images: the routes that take an image.
    init(bodyDeadline: TimeAmount, images: RoutePaths) {
        self.bodyDeadline = bodyDeadline
        self.images = images
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard rejection == nil else { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            if let fault = RequestFraming.fault(of: head) { return reject(with: fault, context) }
            begin(head, context)
            // HTTP/1.0 ends a connection with its response, which the server does only when it is asked to.
            if !head.isKeepAlive { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body(let buffer):
            received += buffer.readableBytes
            if unanswered == 0 { return discard(buffer, context) }
            context.fireChannelRead(data)
        case .end:
            isReceiving = false
            timeout?.cancel()
            context.fireChannelRead(data)
            if isEnding, unanswered == 0 { context.close(promise: nil) }
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            if isReceiving, unanswered == 1, max(announced, received) > Self.unwantedBytes {
                isEnding = true
                head.headers.replaceOrAdd(name: "Connection", value: "close")
            } else if isKept {
                head.headers.replaceOrAdd(name: "Connection", value: "keep-alive")
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            unanswered -= 1
            // The head of a stream announces chunks, so the encoder would write the last chunk even after `HEAD`.
            let isHead = heads.popFirst() ?? false
            context.write(isHead ? wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))) : data, promise: promise)
            if unanswered == 0, let rejection { answer(rejection, context) }
        default:
            context.write(data, promise: promise)
        }
    }

    /// The parser rejects methods that it does not know; all other faults are handled behind this.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard rejection == nil, case HTTPParserError.invalidMethod = error else {
            return context.fireErrorCaught(error)
        }
        reject(with: .notImplemented, context)
    }

    /// Sends the path where a new upload can be resumed, ahead of the response.
    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let resumption = event as? UploadResumption else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        // Responses to earlier requests come first; HTTP/1.0 has no interim responses.
        guard unanswered == 1, isReceiving, version != .http1_0 else { return }
        context.writeAndFlush(wrapOutboundOut(.head(resumption.head)), promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timeout?.cancel()
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        unanswered += 1
        heads.append(head.method == .HEAD)
        isReceiving = true
        version = head.version
        isKept = head.version == .http1_0 && head.isKeepAlive
        (spare, received) = (Self.unwantedBytes, 0)
        announced = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        guard announced > 0 || head.headers.contains(name: "Transfer-Encoding") else { return }
        if unanswered == 1, head.version != .http1_0,
            head.headers[canonicalForm: "Expect"].contains(where: { $0.lowercased() == "100-continue" })
        {
            let go = HTTPResponseHead(version: head.version, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
        }
        expectBody(isImage: images.contains(head.method.rawValue, head.uri), after: 0, context)
    }

    /// Waits for the rest of a body. A photo may take longer than other bodies, as long as it keeps arriving.
    private func expectBody(isImage: Bool, after before: Int, _ context: ChannelHandlerContext) {
        timeout = context.eventLoop.assumeIsolated().scheduleTask(in: bodyDeadline) {
            guard self.isReceiving else { return }
            guard isImage, self.received >= before + Self.imagePace else {
                return context.fireErrorCaught(BodyTimeout())
            }
            self.expectBody(isImage: true, after: self.received, context)
        }
    }

    private func discard(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
        spare -= buffer.readableBytes
        if spare < 0 || (isEnding && spare == 0) { context.close(promise: nil) }
    }

    private func reject(with status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
        rejection = status
        if unanswered == 0 { answer(status, context) }
    }

    private func answer(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
        let head = HTTPResponseHead(
            version: .http1_1, status: status, headers: ["Connection": "close", "Content-Length": "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }
}
