import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A store in memory that answers as a test says.
final class StandInStore: Sendable {
    struct Request: Sendable {
        var method: HTTPMethod
        /// The path with its query.
        var target: String
        var fields: HTTPHeaders
        var body: ByteBuffer
    }

    struct Answer: Sendable {
        var status: Int
        var fields: HTTPHeaders = [:]
        var body = ""

        static func error(_ status: Int, _ code: String) -> Answer {
            Answer(status: status, body: "<Error><Code>\(code)</Code><Message>none</Message></Error>")
        }
    }

    /// Says what is answered; nil lets the store do its work.
    typealias Fault = @Sendable (Request) -> Answer?

    private struct State {
        var objects: [String: Request] = [:]
        var requests: [Request] = []
        var fault: Fault?
        var underWay = 0
        var mostUnderWay = 0
        var delay = TimeAmount.zero
        /// Called with the texts below a folder after each change.
        var onChange: (folder: String, call: @Sendable ([String: String]) -> Void)?
    }

    private let state = Mutex(State())
    private let channel: any Channel

    init() async throws {
        let pending = AnswerBox()
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(RequestReader(pending))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        pending.set { [weak self] in self?.answer($0, on: $1) }
    }

    var url: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    func close() async throws { try await channel.close() }

    /// The texts of objects by their paths below a folder.
    func texts(below folder: String) -> [String: String] {
        state.withLock { Self.texts($0.objects, below: folder) }
    }

    private static func texts(_ objects: [String: Request], below folder: String) -> [String: String] {
        var texts: [String: String] = [:]
        for (path, object) in objects where path.hasPrefix(folder + "/") {
            texts[String(path.dropFirst(folder.utf8.count + 1))] = String(buffer: object.body)
        }
        return texts
    }

    func object(_ path: String) -> Request? { state.withLock { $0.objects[path] } }
    var requests: [Request] { state.withLock { $0.requests } }
    var mostUnderWay: Int { state.withLock { $0.mostUnderWay } }

    func fail(_ fault: Fault?) { state.withLock { $0.fault = fault } }
    func delay(_ delay: TimeAmount) { state.withLock { $0.delay = delay } }
    func onChange(below folder: String, _ body: @escaping @Sendable ([String: String]) -> Void) {
        state.withLock { $0.onChange = (folder, body) }
    }

    private func answer(_ request: Request, on channel: any Channel) {
        let delay = state.withLock { state in
            state.requests.append(request)
            state.underWay += 1
            state.mostUnderWay = max(state.mostUnderWay, state.underWay)
            return state.delay
        }
        channel.eventLoop.scheduleTask(in: delay) { self.finish(request, on: channel) }
    }

    private func finish(_ request: Request, on channel: any Channel) {
        let answer = state.withLock { state in
            state.underWay -= 1
            if let answer = state.fault?(request) { return answer }
            let answer = Self.work(request, &state.objects)
            if let change = state.onChange, request.method != .HEAD {
                change.call(Self.texts(state.objects, below: change.folder))
            }
            return answer
        }
        var fields = answer.fields
        if !fields.contains(name: "Content-Length") {
            fields.add(name: "Content-Length", value: "\(answer.body.utf8.count)")
        }
        let head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: answer.status),
            headers: fields
        )
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        if request.method != .HEAD {
            channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: answer.body))), promise: nil)
        }
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
    }

    private static func tag(_ request: Request) -> String { "\"\(String(buffer: request.body).hashValue)\"" }

    private static func work(_ request: Request, _ objects: inout [String: Request]) -> Answer {
        let known = objects[request.target]
        switch request.method {
        case .PUT:
            if request.fields.first(name: "If-None-Match") == "*", known != nil {
                return .error(412, "PreconditionFailed")
            }
            if let wanted = request.fields.first(name: "If-Match") {
                guard let known else { return .error(404, "NoSuchKey") }
                if tag(known) != wanted { return .error(412, "PreconditionFailed") }
            }
            objects[request.target] = request
            return Answer(status: 200, fields: ["ETag": tag(request)])
        case .GET: return known.map { Answer(status: 200, body: String(buffer: $0.body)) } ?? Answer(status: 404)
        case .DELETE:
            objects[request.target] = nil
            return Answer(status: 204)
        case .HEAD:
            guard let known else { return Answer(status: 404) }
            var fields: HTTPHeaders = ["Content-Length": "\(known.body.readableBytes)", "ETag": tag(known)]
            for (name, value) in known.fields where name.hasPrefix("x-amz-meta-") {
                fields.add(name: name, value: value)
            }
            return Answer(status: 200, fields: fields)
        default: return Answer(status: 405)
        }
    }
}

/// The place where the store is told of requests, once it is there.
private final class AnswerBox: Sendable {
    private let body = Mutex<(@Sendable (StandInStore.Request, any Channel) -> Void)?>(nil)

    func set(_ body: @escaping @Sendable (StandInStore.Request, any Channel) -> Void) {
        self.body.withLock { $0 = body }
    }

    func call(_ request: StandInStore.Request, _ channel: any Channel) { body.withLock(\.self)?(request, channel) }
}

/// Puts requests together.
private final class RequestReader: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let box: AnswerBox
    private var request: StandInStore.Request?

    init(_ box: AnswerBox) { self.box = box }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            request = StandInStore.Request(
                method: head.method,
                target: head.uri,
                fields: head.headers,
                body: ByteBuffer()
            )
        case .body(let bytes): request?.body.writeImmutableBuffer(bytes)
        case .end:
            if let request { box.call(request, context.channel) }
            request = nil
        }
    }
}
