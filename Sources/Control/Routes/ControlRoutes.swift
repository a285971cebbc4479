import HTTPTypes
import Hummingbird
import HummingbirdCore
import MediaCore
import NIOCore
import Operations
import Presentation

/// The routes of the operator face.
struct ControlRoutes: Sendable {
    let configuration: ControlConfiguration
    let channels: @Sendable () -> [any OperatedChannel]
    let origin: @Sendable () -> OriginStatus
    let events: EventLog
    let signal: EventSignal
    let operated: any OperatedConfiguration
    /// UTC, counted from 1970.
    let now: @Sendable () -> MediaTime

    private let streams: StreamPlaces

    private typealias Handler = @Sendable (Request, BasicRequestContext) async throws -> Response

    /// The methods of HTTP itself; all others are unknown.
    static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    init(
        configuration: ControlConfiguration,
        channels: @escaping @Sendable () -> [any OperatedChannel],
        origin: @escaping @Sendable () -> OriginStatus,
        events: EventLog,
        signal: EventSignal,
        operated: any OperatedConfiguration,
        now: @escaping @Sendable () -> MediaTime
    ) {
        self.configuration = configuration
        self.channels = channels
        self.origin = origin
        self.events = events
        self.signal = signal
        self.operated = operated
        self.now = now
        streams = StreamPlaces(count: configuration.maximumStreams)
    }

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: Entrance(browserGuard: BrowserGuard(names: [configuration.host] + configuration.names)))
        let routes: [(path: String, method: HTTPRequest.Method, handler: Handler)] = [
            ("/healthz", .get, { _, _ in health() }),
            ("/readyz", .get, { _, _ in try readiness() }),
            ("/metrics", .get, { _, _ in metrics() }),
            ("/origin", .get, { _, _ in try JSON.response(.ok, origin()) }),
            ("/reload", .post, { request, _ in try await answerReload(request) }),
            ("/channels", .get, { _, _ in try JSON.response(.ok, statuses()) }),
            (
                "/channels/{name}", .get,
                { _, context in try JSON.response(.ok, try channel(context).status(at: now())) }
            ),
            ("/channels/{name}", .put, { request, context in try await putChannel(request, context) }),
            ("/channels/{name}", .patch, { request, context in try await patchChannel(request, context) }),
            ("/channels/{name}", .delete, { request, context in try await removeChannel(request, context) }),
            ("/channels/{name}/configuration", .get, { _, context in try describe(context) }),
            ("/channels/{name}/select", .post, { request, context in try await select(request, context) }),
            ("/channels/{name}/cues", .post, { request, context in try await show(request, context) }),
            (
                "/channels/{name}/splices", .post,
                { request, context in try await post(PostedSplice.self, request, context) }
            ),
            (
                "/channels/{name}/metadata", .post,
                { request, context in try await post(PostedMetadata.self, request, context) }
            ),
            ("/channels/{name}/dateranges", .get, { _, context in try dateRanges(context) }),
            (
                "/channels/{name}/dateranges", .post,
                { request, context in try await post(DateRangeCommand.self, request, context) }
            ),
            (
                "/channels/{name}/dateranges/{id}", .patch,
                { request, context in try await updateDateRange(request, context) }
            ),
            ("/channels/{name}/dateranges/{id}", .delete, { _, context in try await removeDateRange(context) }),
            ("/events", .get, { request, _ in try answerEvents(request) }),
            ("/channels/{name}/on-air", .get, { _, context in try answerOnAir(context) }),
            (
                "/channels/{name}/thumbnail.jpg", .get,
                { request, context in try await answerThumbnail(request, context) }
            ),
            (
                "/channels/{name}/inputs/{input}/thumbnail.jpg", .get,
                { request, context in try await answerThumbnail(request, context) }
            ),
        ]
        let index = routes.map { "\($0.method.rawValue) \($0.path)" }
        add("/", [.get: { request, _ in try answerRoot(request, routes: index) }], to: router)
        for (name, file) in OperatorFile.files {
            add("/\(name)", [.get: { request, _ in answer(request, with: file) }], to: router)
        }
        for (path, routes) in Dictionary(grouping: routes, by: \.path) {
            add(path, Dictionary(uniqueKeysWithValues: routes.map { ($0.method, $0.handler) }), to: router)
        }
        return router
    }

    /// Adds a path with its methods, and refuses all others.
    private func add(
        _ path: String,
        _ handlers: [HTTPRequest.Method: Handler],
        to router: Router<BasicRequestContext>
    ) {
        var handlers = handlers
        handlers[.head] = handlers[.get]
        let names = Self.methods.filter { handlers[$0] != nil }.map(\.rawValue).joined(separator: ", ")
        for method in Self.methods {
            let handler = handlers[method]
            router.on(RouterPath(path), method: method) { request, context in
                guard let handler else {
                    // RFC 9110 § 15.5.6: the answer says what is allowed.
                    throw Refusal(.methodNotAllowed, ["the method must be \(names)"], fields: [.allow: names])
                }
                return try await handler(request, context)
            }
        }
    }

    private func health() -> Response {
        let fields = AnswerFields.fields(contentType: "text/plain; charset=utf-8")
        return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: "ok")))
    }

    private func metrics() -> Response {
        let channels = channels()
        let totals = channels.map { ($0.name, $0.totals) }
        let metrics = Metrics(
            version: configuration.version,
            channels: statuses(),
            totals: Dictionary(totals) { first, _ in first },
            origin: origin(),
            events: events.counts
        )
        // The version of the text format; scrapers ask for it by this name.
        let fields = AnswerFields.fields(contentType: "text/plain; version=0.0.4; charset=utf-8")
        return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text)))
    }

    private func readiness() throws -> Response {
        let readiness = Readiness(statuses())
        return try JSON.response(readiness.isReady ? .ok : .serviceUnavailable, readiness)
    }

    private func statuses() -> [ChannelStatus] {
        let now = now()
        return channels().map { $0.status(at: now) }
    }

    /// The channel that the path names.
    func channel(_ context: BasicRequestContext) throws -> any OperatedChannel {
        let name = context.parameters.get("name") ?? ""
        let channels = channels()
        guard let channel = channels.first(where: { $0.name == name }) else {
            let known = channels.map(\.name).joined(separator: ", ")
            throw Refusal(.notFound, ["there is no channel \"\(name)\"; channels: \(known)"])
        }
        return channel
    }

    private func select(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let channel = try channel(context)
        let (_, body) = try await body(of: request)
        switch try SelectionCommand(json: body, inputs: channel.status(at: now()).inputs.map(\.name)) {
        case .automatic: await channel.selectAutomatically()
        case .select(let input, let hold):
            do {
                try await channel.select(input: input, hold: hold)
            } catch {
                throw Refusal(.badRequest, [error.description])
            }
        }
        return try JSON.response(.ok, channel.status(at: now()).selection)
    }

    /// The body of a request, and its type.
    func body(
        of request: Request,
        types: [String] = ["application/json"]
    ) async throws -> (type: String, body: ByteBuffer) {
        // A page of another origin can send a form unasked, but not these types (Fetch § 2.2.2).
        let type = request.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased() ?? ""
        guard types.contains(type) else {
            throw Refusal(
                .unsupportedMediaType,
                ["Content-Type must be \(types.joined(separator: " or "))"],
                fields: [.accept: types.joined(separator: ", ")]
            )
        }
        do {
            return (type, try await request.body.collect(upTo: configuration.maximumBodyBytes))
        } catch is NIOTooManyBytesError {
            throw Refusal(.contentTooLarge, ["the body is longer than \(configuration.maximumBodyBytes) bytes"])
        }
    }

    private func answerEvents(_ request: Request) throws -> Response {
        let query = try EventQuery(target: request.head.path ?? "")
        guard request.headers[.accept]?.lowercased().contains("text/event-stream") == true else {
            let records = query.entries(of: events).map(EventRecord.init)
            return try JSON.response(.ok, records, [.vary: "Accept"])
        }
        guard let place = streams.take() else {
            let problem = "there are \(configuration.maximumStreams) event streams, as many as there may be"
            throw Refusal(.serviceUnavailable, [problem], fields: [.retryAfter: "2"])
        }
        // A reader that was cut off says how far it got, whatever its URL says (HTML § 9.2.4).
        let last = HTTPField.Name.lastEventID.flatMap { request.headers[$0] }.flatMap { Int($0) }
        let stream = EventStream(
            log: events,
            signal: signal,
            after: last.map { max(0, $0) } ?? query.after,
            heartbeat: configuration.heartbeat
        )
        var fields = AnswerFields.fields(contentType: "text/event-stream")
        fields.append(HTTPField(name: .vary, value: "Accept"))
        let body = ResponseBody { writer in
            try await stream.write(to: &writer)
            withExtendedLifetime(place) {}
        }
        return Response(status: .ok, headers: fields, body: body)
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID")
}
