import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Operations
import Presentation

/// The routes of the control API, and what they do.
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
    /// The metrics, which are made at most once in a short time.
    private let rendering: SharedRendering

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

    /// All routes, with those of the operator page.
    var table: RouteTable {
        let routes = [
            route(.GET, "/healthz") { _ in health() },
            route(.GET, "/readyz") { try readiness($0) },
            route(.GET, "/metrics") { _ in metrics() },
            route(.GET, "/origin") { _ in try JSON.answer(.ok, origin()) },
            route(.POST, "/reload", .administrator) { try await answerReload($0) },
            route(.GET, "/upgrade") { _ in try JSON.answer(.ok, upgrade()) },
            route(.GET, "/channels") { _ in try JSON.answer(.ok, statuses()) },
            route(.GET, "/channels/{name}") { try JSON.answer(.ok, status(of: try channel($0))) },
            route(.PUT, "/channels/{name}", .administrator, takes: ["application/json", "application/yaml"]) {
                try await edit(.put(String(buffer: $0.body)), $0)
            },
            route(
                .PATCH,
                "/channels/{name}",
                .administrator,
                takes: ["application/merge-patch+json", "application/json"]
            ) { try await edit(.patch(String(buffer: $0.body)), $0) },
            route(.DELETE, "/channels/{name}", .administrator) { try await edit(.remove, $0) },
            route(.GET, "/channels/{name}/configuration") { try describe($0) },
        ]
        let document = APIDocument.file(version: configuration.version)
        let served = route(.GET, "/\(APIDocument.name)") { answer($0, withStatic: document) }
        let all = routes + channelRoutes + [served]
        let index = all.map { "\($0.method.rawValue) \($0.path)" }
        let files = OperatorFile.files.map { name, file in
            route(.GET, "/\(name)") { answer($0, with: file) }
        }
        return RouteTable(all + [route(.GET, "/") { try answerRoot($0, routes: index) }] + files)
    }

    /// Commands to channels, and their documents.
    private var channelRoutes: [ControlRoute] {
        [
            command("select", takes: Self.json) { try await select($0) },
            command("cues", takes: ["application/json", "text/vtt"]) { try await show($0) },
            command("splices", takes: Self.json) { try await post(PostedSplice.self, $0) },
            command("metadata", takes: Self.json) { try await post(PostedMetadata.self, $0) },
            route(.GET, "/channels/{name}/dateranges") { try dateRanges($0) },
            command("dateranges", takes: Self.json) { try await post(DateRangeCommand.self, $0) },
            ControlRoute(
                method: .PATCH,
                path: "/channels/{name}/dateranges/{id}",
                role: .operator,
                types: Self.json,
                check: { (request) throws(Refusal) in
                    _ = try channel(request)
                    _ = try rangeID(request)
                },
                handler: { try await updateDateRange($0) }
            ),
            route(.DELETE, "/channels/{name}/dateranges/{id}", .operator) { try await removeDateRange($0) },
            route(.GET, "/channels/{name}/recordings") { try recordings($0) },
            command("recordings", takes: Self.json) { try await postRecording($0) },
            route(.GET, "/channels/{name}/recordings/{id}") { try recording($0) },
            route(.DELETE, "/channels/{name}/recordings/{id}", .operator) { try await removeRecording($0) },
            route(.GET, "/events") { try await answerEvents($0) },
            route(.GET, "/channels/{name}/on-air") { try answerOnAir($0) },
            route(.GET, "/channels/{name}/thumbnail.jpg") { try await answerThumbnail($0) },
            route(.GET, "/channels/{name}/inputs/{input}/thumbnail.jpg") { try await answerThumbnail($0) },
            route(.GET, "/webhooks") { _ in try JSON.answer(.ok, webhooks()) },
        ]
    }

    private static let json = ["application/json"]

    private func route(
        _ method: HTTPMethod,
        _ path: String,
        _ role: ControlRole = .readOnly,
        takes types: [String] = [],
        _ handler: @escaping @Sendable (ControlRequest) async throws -> Answer
    ) -> ControlRoute {
        ControlRoute(method: method, path: path, role: role, types: types, handler: handler)
    }

    /// A route that posts to a channel, which must exist.
    private func command(
        _ name: String,
        takes types: [String],
        _ handler: @escaping @Sendable (ControlRequest) async throws -> Answer
    ) -> ControlRoute {
        ControlRoute(
            method: .POST,
            path: "/channels/{name}/\(name)",
            role: .operator,
            types: types,
            check: { (request) throws(Refusal) in _ = try channel(request) },
            handler: handler
        )
    }

    private func health() -> Answer {
        let fields = AnswerFields.fields(contentType: "text/plain; charset=utf-8")
        return .ok(fields, ByteBuffer(string: "ok"))
    }

    private func metrics() -> Answer {
        // The media type with the version of the text format, by which scrapers request it.
        let fields = AnswerFields.fields(contentType: "text/plain; version=0.0.4; charset=utf-8")
        return .ok(fields, rendering.bytes { ByteBuffer(string: currentMetrics().text) })
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

    private func readiness(_ request: ControlRequest) throws -> Answer {
        let asksOnAir = try request.asks("on-air")
        let readiness = Readiness(statuses())
        let isMet = readiness.isReady && (!asksOnAir || readiness.isOnAir)
        return try JSON.answer(isMet ? .ok : .serviceUnavailable, readiness)
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
    func channel(_ request: ControlRequest) throws(Refusal) -> any OperatedChannel {
        let name = request.name("name")
        let channels = channels()
        guard let channel = channels.first(where: { $0.name == name }) else {
            let known = channels.map(\.name).joined(separator: ", ")
            throw Refusal(.notFound, ["there is no channel \"\(name)\"; channels: \(known)"])
        }
        return channel
    }

    private func answerEvents(_ request: ControlRequest) async throws -> Answer {
        let query = try EventQuery(target: request.head.target)
        guard request.head.field("Accept")?.lowercased().contains("text/event-stream") == true else {
            let page = await history.page(query.search(in: history))
            var fields: HTTPHeaders = ["Vary": "Accept"]
            // In a search for a fault, events from memory help more than none.
            if !page.isComplete {
                let problem = "events before those in memory cannot be read at the moment"
                fields.add(name: "X-Packager-Incomplete", value: problem)
            }
            return try JSON.answer(.ok, page.entries.map(EventRecord.init), fields)
        }
        try query.checkForStream()
        guard let place = streams.take() else {
            let problem = "there are \(configuration.maximumStreams) event streams, which is the limit"
            throw Refusal(.serviceUnavailable, [problem], fields: ["Retry-After": "2"])
        }
        // A reader that was cut off names the last event it has, and this overrides its URL (HTML § 9.2.4).
        let last = request.head.field("Last-Event-ID").flatMap { Int($0) }
        let stream = EventStream(
            history: history,
            signal: signal,
            filter: query.search.filter,
            after: last.map { max(0, $0) } ?? query.search.after,
            heartbeat: configuration.heartbeat
        )
        var answer = Answer(.ok, AnswerFields.fields(contentType: "text/event-stream"))
        answer.fields.add(name: "Vary", value: "Accept")
        answer.stream = { write in
            try await stream.write(to: write)
            withExtendedLifetime(place) {}
        }
        return answer
    }
}
