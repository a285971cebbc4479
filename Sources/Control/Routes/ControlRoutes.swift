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
    let history: EventHistory
    let signal: EventSignal
    let operated: any OperatedConfiguration
    let upgrade: @Sendable () -> UpgradeForecast
    let webhooks: @Sendable () -> [WebhookStatus]
    let audit: ControlAudit
    /// UTC, counted from 1970.
    let now: @Sendable () -> MediaTime

    private let streams: StreamPlaces
    /// Of metrics.
    private let rendering: SharedRendering

    private typealias Handler = @Sendable (Request, ControlContext) async throws -> Response

    /// The methods of HTTP itself; all others are unknown.
    static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    init(
        configuration: ControlConfiguration,
        channels: @escaping @Sendable () -> [any OperatedChannel],
        origin: @escaping @Sendable () -> OriginStatus,
        history: EventHistory,
        signal: EventSignal,
        operated: any OperatedConfiguration,
        upgrade: @escaping @Sendable () -> UpgradeForecast,
        webhooks: @escaping @Sendable () -> [WebhookStatus],
        audit: ControlAudit,
        now: @escaping @Sendable () -> MediaTime
    ) {
        self.configuration = configuration
        self.channels = channels
        self.origin = origin
        self.history = history
        self.signal = signal
        self.operated = operated
        self.upgrade = upgrade
        self.webhooks = webhooks
        self.audit = audit
        self.now = now
        streams = StreamPlaces(count: configuration.maximumStreams)
        rendering = SharedRendering(age: configuration.metricsAge)
    }

    func router() -> Router<ControlContext> {
        let router = Router(context: ControlContext.self)
        router.add(middleware: Entrance(browserGuard: BrowserGuard(names: [configuration.host] + configuration.names)))
        let routes: [(path: String, method: HTTPRequest.Method, role: ControlRole, handler: Handler)] = [
            ("/healthz", .get, .readOnly, { _, _ in health() }),
            ("/readyz", .get, .readOnly, { request, _ in try readiness(request) }),
            ("/metrics", .get, .readOnly, { _, _ in metrics() }),
            ("/origin", .get, .readOnly, { _, _ in try JSON.response(.ok, origin()) }),
            ("/reload", .post, .administrator, { request, context in try await answerReload(request, context) }),
            ("/upgrade", .get, .readOnly, { _, _ in try JSON.response(.ok, upgrade()) }),
            ("/channels", .get, .readOnly, { _, _ in try JSON.response(.ok, statuses()) }),
            (
                "/channels/{name}", .get, .readOnly,
                { _, context in try JSON.response(.ok, status(of: try channel(context))) }
            ),
            ("/channels/{name}", .put, .administrator, { request, context in try await putChannel(request, context) }),
            (
                "/channels/{name}", .patch, .administrator,
                { request, context in try await patchChannel(request, context) }
            ),
            (
                "/channels/{name}", .delete, .administrator,
                { request, context in try await removeChannel(request, context) }
            ),
            ("/channels/{name}/configuration", .get, .readOnly, { _, context in try describe(context) }),
            ("/channels/{name}/select", .post, .operator, { request, context in try await select(request, context) }),
            ("/channels/{name}/cues", .post, .operator, { request, context in try await show(request, context) }),
            (
                "/channels/{name}/splices", .post, .operator,
                { request, context in try await post(PostedSplice.self, request, context) }
            ),
            (
                "/channels/{name}/metadata", .post, .operator,
                { request, context in try await post(PostedMetadata.self, request, context) }
            ),
            ("/channels/{name}/dateranges", .get, .readOnly, { _, context in try dateRanges(context) }),
            (
                "/channels/{name}/dateranges", .post, .operator,
                { request, context in try await post(DateRangeCommand.self, request, context) }
            ),
            (
                "/channels/{name}/dateranges/{id}", .patch, .operator,
                { request, context in try await updateDateRange(request, context) }
            ),
            (
                "/channels/{name}/dateranges/{id}", .delete, .operator,
                { _, context in try await removeDateRange(context) }
            ),
            ("/events", .get, .readOnly, { request, _ in try await answerEvents(request) }),
            ("/channels/{name}/on-air", .get, .readOnly, { _, context in try answerOnAir(context) }),
            (
                "/channels/{name}/thumbnail.jpg", .get, .readOnly,
                { request, context in try await answerThumbnail(request, context) }
            ),
            (
                "/channels/{name}/inputs/{input}/thumbnail.jpg", .get, .readOnly,
                { request, context in try await answerThumbnail(request, context) }
            ),
            ("/webhooks", .get, .readOnly, { _, _ in try JSON.response(.ok, webhooks()) }),
        ]
        let index = routes.map { "\($0.method.rawValue) \($0.path)" }
        add("/", [.get: { request, _ in try answerRoot(request, routes: index) }], to: router)
        for (name, file) in OperatorFile.files {
            add("/\(name)", [.get: { request, _ in answer(request, with: file) }], to: router)
        }
        for (path, routes) in Dictionary(grouping: routes, by: \.path) {
            let handlers = routes.map { route -> (HTTPRequest.Method, Handler) in
                let handler: Handler = { request, context in
                    try context.requester.check(route.role)
                    return try await route.handler(request, context)
                }
                return (route.method, handler)
            }
            add(path, Dictionary(uniqueKeysWithValues: handlers), to: router)
        }
        return router
    }

    /// Adds a path with its methods, and refuses all others.
    private func add(
        _ path: String,
        _ handlers: [HTTPRequest.Method: Handler],
        to router: Router<ControlContext>
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
        // The version of the text format; scrapers ask for it by this name.
        let fields = AnswerFields.fields(contentType: "text/plain; version=0.0.4; charset=utf-8")
        let body = ResponseBody(byteBuffer: rendering.bytes { ByteBuffer(string: currentMetrics().text) })
        return Response(status: .ok, headers: fields, body: body)
    }

    private func currentMetrics() -> Metrics {
        let channels = channels()
        let totals = channels.map { ($0.name, $0.totals) }
        return Metrics(
            version: configuration.version,
            channels: statuses(),
            totals: Dictionary(totals) { first, _ in first },
            origin: origin(),
            events: history.log.counts,
            archive: history.archive?.health,
            webhooks: webhooks(),
            refusals: audit.refusals,
            process: .current
        )
    }

    private func readiness(_ request: Request) throws -> Response {
        let names = request.uri.queryParameters.map { String($0.key) }
        guard names.allSatisfy({ $0 == "on-air" }) else {
            throw Refusal(.badRequest, ["the query may say on-air, and nothing else"])
        }
        let readiness = Readiness(statuses())
        let isMet = readiness.isReady && (names.isEmpty || readiness.isOnAir)
        return try JSON.response(isMet ? .ok : .serviceUnavailable, readiness)
    }

    private func statuses() -> [ChannelStatus] {
        let audiences = origin().audiences
        let now = now()
        return channels().map { status(of: $0, audiences, now) }
    }

    private func status(of channel: any OperatedChannel) -> ChannelStatus {
        status(of: channel, origin().audiences, now())
    }

    private func status(
        of channel: any OperatedChannel,
        _ audiences: [String: ChannelStatus.Audience],
        _ now: MediaTime
    ) -> ChannelStatus {
        var status = channel.status(at: now)
        status.audience = audiences[channel.name]
        return status
    }

    /// The channel that the path names.
    func channel(_ context: ControlContext) throws -> any OperatedChannel {
        let name = context.parameters.get("name") ?? ""
        let channels = channels()
        guard let channel = channels.first(where: { $0.name == name }) else {
            let known = channels.map(\.name).joined(separator: ", ")
            throw Refusal(.notFound, ["there is no channel \"\(name)\"; channels: \(known)"])
        }
        return channel
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

    private func answerEvents(_ request: Request) async throws -> Response {
        let query = try EventQuery(target: request.head.path ?? "")
        guard request.headers[.accept]?.lowercased().contains("text/event-stream") == true else {
            let page = await history.page(query.search(in: history))
            var fields: HTTPFields = [.vary: "Accept"]
            // What memory has is worth more to whoever looks for a fault than none.
            if !page.isComplete, let name = HTTPField.Name.incomplete {
                fields[name] = "events before those in memory cannot be read at the moment"
            }
            return try JSON.response(.ok, page.entries.map(EventRecord.init), fields)
        }
        try query.checkForStream()
        guard let place = streams.take() else {
            let problem = "there are \(configuration.maximumStreams) event streams, as many as there may be"
            throw Refusal(.serviceUnavailable, [problem], fields: [.retryAfter: "2"])
        }
        // A reader that was cut off says how far it got, whatever its URL says (HTML § 9.2.4).
        let last = HTTPField.Name.lastEventID.flatMap { request.headers[$0] }.flatMap { Int($0) }
        let stream = EventStream(
            history: history,
            signal: signal,
            filter: query.search.filter,
            after: last.map { max(0, $0) } ?? query.search.after,
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
    fileprivate static let incomplete = HTTPField.Name("X-Packager-Incomplete")
}
