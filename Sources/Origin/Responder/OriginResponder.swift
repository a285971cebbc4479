import Files
package import HTTPServing
package import KeyServing
package import MediaCore
import NIOCore
package import NIOHTTP1
import Presentation

/// Answers every request of viewers, players and peers.
///
/// A request is handled here in one piece: its target is read, the answer is made, counted and logged. There is no
/// router and no chain of middlewares, because there are few kinds of paths and one policy for all. It runs on event
/// loops, so it takes no lock that is held for long.
package final class OriginResponder: Responder {
    let channels: any OriginChannels
    let configuration: OriginConfiguration
    /// Stands before the keys; nil if everybody may have them.
    let keyResponder: KeyResponder?
    let counters: OriginCounters
    /// The share of the machine that the past has.
    let share: PastShare
    let log: AccessLog
    let now: @Sendable () -> MediaTime
    /// True if media is served at this address.
    let servesMedia: Bool
    /// Limits the questions of peers about recordings.
    let peerQuestions = PeerQuestions()

    /// - Parameters:
    ///   - channels: Asked for every request.
    ///   - configuration: The resources that are served, and the limits of clients.
    ///   - keyResponder: Answers requests for keys; nil if everybody may have them.
    ///   - counters: The counters of requests.
    ///   - share: The share of the machine that the past has.
    ///   - log: Gets a line for each request.
    ///   - now: UTC, counted from 1970.
    package init(
        channels: any OriginChannels,
        configuration: OriginConfiguration = OriginConfiguration(),
        keyResponder: KeyResponder? = nil,
        counters: OriginCounters,
        share: PastShare = PastShare(),
        log: AccessLog,
        now: @escaping @Sendable () -> MediaTime
    ) {
        self.channels = channels
        self.configuration = configuration
        self.keyResponder = keyResponder
        self.counters = counters
        self.share = share
        self.log = log
        self.now = now
        servesMedia = configuration.resources.includes(.media(channel: "", path: ""))
    }

    package func verdict(on request: Request) -> Verdict {
        if request.method == .OPTIONS { return .answer(.answer(Answer(.noContent, ResponseFields.preflight))) }
        let route: Route
        do {
            route = try self.route(request)
        } catch {
            switch error {
            case .malformed: return .answer(.answer(Rejection(.badRequest, "malformed target").answer()))
            case .unknown: return .answer(.answer(notFound))
            }
        }
        if route.isLicense {
            guard request.method == .POST else { return .answer(.answer(methodNotAllowed("POST, OPTIONS"))) }
            return .body(limit: configuration.maximumBodyBytes) { [self] body in
                guard let body else { return .answer(oversizedBody) }
                return .work { [self] in license(request, body, route) }
            }
        }
        guard request.method == .GET || request.method == .HEAD else {
            return .answer(.answer(methodNotAllowed("GET, HEAD, OPTIONS")))
        }
        return .answer(reply(to: request, route: route))
    }

    /// The answer as it is sent; it is counted and logged.
    package func finish(_ answer: Answer, _ request: Request, duration: Duration) -> Answer {
        var answer = answer
        if request.method == .HEAD { answer.dropBody() }
        counters.answered(RequestKind(target: request.target), answer.status, bytes: answer.byteCount)
        log.record(request, answer, duration: duration)
        return answer
    }

    package func rejection(_ status: HTTPResponseStatus) -> Answer {
        let answer = Rejection(status).answer()
        counters.answered(.other, answer.status, bytes: answer.body.readableBytes)
        return answer
    }

    package var busy: Answer {
        Rejection(.serviceUnavailable, "too many requests for the past at once").answer(["Retry-After": "1"])
    }

    /// The resource that a request names, among those served at this address.
    private func route(_ request: Request) throws(RouteError) -> Route {
        let route = try Route(target: request.target)
        guard configuration.resources.includes(route) else { throw .unknown }
        // Without credentials it is a path like any other.
        if case .fairPlayLicense(let channel) = route, keyResponder?.fairPlay == nil {
            return .media(channel: channel, path: "fairplay")
        }
        return route
    }

    private func reply(to request: Request, route: Route) -> Reply {
        switch route {
        case .media(let channel, let path):
            return forViewer(request, channel, path) { past(insteadOf: $0) ?? media($0) }
        case .past(let channel, let range, let path):
            return forViewer(request, channel, path) { past($0, range: range) }
        case .playerPage(let channel):
            if let channel, channels[channel] == nil { return .answer(notFound) }
            return .answer(file(request, PlayerFile.page))
        case .playerFile(let name):
            return .answer(PlayerFile.files[name].map { file(request, $0) } ?? notFound)
        case .channel(let name):
            if channels[name] == nil { return .answer(notFound) }
            // Relative, so that it holds below a proxy's prefix as well.
            // The query may have a token, or the time to begin at; caches may not know it.
            let there = request.target.utf8.prefix { (0x21...0x7E).contains($0) }
            let query = String(there.drop { $0 != UInt8(ascii: "?") }) ?? ""
            let redirect = Rejection(.permanentRedirect, cacheControl: query.isEmpty ? "max-age=3600" : "no-store")
            return .answer(redirect.answer(["Location": "\(name)/\(query)"]))
        case .channelList:
            let fields = ResponseFields.fields(cacheControl: "no-cache", contentType: "application/json")
            let names = channels.names.map { "\"\($0)\"" }.joined(separator: ",")
            return .answer(.ok(fields, ByteBuffer(string: "{\"channels\":[\(names)]}\n")))
        case .keySchedule(let channel):
            return .work { [self] in keySchedule(request, channel: channel) }
        case .localizedNames(let channel): return .answer(localizedNames(channel: channel))
        case .assetList(let channel, let id): return assetList(request, id, channel: channel)
        case .adFile(let channel, let path): return adFile(request, path, channel: channel)
        case .recording(let channel, let path): return recording(request, path, channel: channel)
        case .window(let channel): return forPeer(request, channel) { channel in .work { [self] in window(channel) } }
        case .health(let channel): return forPeer(request, channel) { channel in .answer(health(channel)) }
        case .schedule(let channel): return forPeer(request, channel) { channel in .answer(schedule(channel)) }
        case .recordedSlots(let channel): return forPeer(request, channel) { recordedSlots(request, $0) }
        case .recordedMedia(let channel, let path):
            return forPeer(request, channel) { recordedMedia(request, path, $0) }
        case .steering(let channel): return .answer(steering(request, channel: channel))
        case .onAir(let channel): return onAir(channel: channel)
        case .key(let channel, let keyID): return key(request, keyID, channel: channel)
        case .clearKeyLicense, .fairPlayLicense: return .answer(methodNotAllowed("POST, OPTIONS"))
        }
    }

    /// The reply to a request that counts as a viewer's.
    private func forViewer(
        _ request: Request,
        _ name: Substring,
        _ path: Substring,
        _ reply: (MediaRequest) -> Reply
    ) -> Reply {
        guard let channel = channels[name] else { return .answer(notFound) }
        let viewer = request.viewer(of: channel.name)
        counters.mediaRequested(by: viewer.hash, viewer.report, of: channel.name)
        return reply(MediaRequest(request: request, channel: channel, path: path)).stating(healthOf: channel.endpoint)
    }

    /// The reply to a request for a playlist or for media.
    func media(_ asked: MediaRequest) -> Reply {
        let (request, channel, path, now) = (asked.request, asked.channel, asked.path, now())
        if let past = channel.past, past.withholds(path, channel, now: now) {
            return .answer(missing(.unknown, channel))
        }
        switch channel.presentation.resource(path, now: now) {
        case .found(let resource):
            if let text = resource.text {
                return filtered(asked, resource, text, now: now) ?? playlist(asked, resource, text, now: now)
            }
            if resource.body.memory != nil { return .answer(answer(request, channel, resource, path: path, now: now)) }
            return .reading { [self] in noted(answer(request, channel, resource, path: path, now: now), asked) }
        case .notFound(let reason):
            let reply = reason == .unknown ? part(asked) : nil
            return reply ?? recorded(asked, reason) ?? .answer(missing(reason, channel))
        case .starting(let seconds):
            let answer = Rejection(.serviceUnavailable, "starting: nothing is published yet")
                .answer(["Retry-After": String(seconds)])
            // A load balancer that checks the state does not wait.
            if request.method == .HEAD || !asked.mayWait { return .answer(answer) }
            return wait(for: .startable, asked, patience: TimeAmount(configuration.startPatience))
        }
    }

    private func answer(
        _ request: Request,
        _ channel: OriginChannel,
        _ resource: Resource,
        path: Substring,
        now: MediaTime
    ) -> Answer {
        do throws(FileError) {
            let cacheControl = channel.policy.cacheControl(resource, now: now)
            return try ResourceAnswer.answer(to: request, with: resource, cacheControl: cacheControl)
        } catch {
            return unreadable(path, channel)
        }
    }

    /// Keeps an answer with a file for the next requests.
    func noted(_ answer: Answer, _ asked: MediaRequest) -> Answer {
        if asked.request.method == .GET { asked.channel.media.recent.note(answer, at: String(asked.path), .now()) }
        return answer
    }

    private func unreadable(_ path: Substring, _ channel: OriginChannel) -> Answer {
        // The resource may have expired meanwhile.
        if case .notFound(let reason) = channel.presentation.resource(path, now: now()) {
            return missing(reason, channel)
        }
        return Rejection(.serviceUnavailable, "the segment cannot be read at the moment").answer()
    }

    func missing(_ reason: Lookup.NotFound, _ channel: OriginChannel) -> Answer {
        Rejection(.notFound, reason.text, cacheControl: channel.policy.cacheControl(reason)).answer()
    }

    /// Sources on air, which are news for as long as a slot lasts, and no secret: playlists show gaps as well.
    private func onAir(channel name: Substring) -> Reply {
        guard let channel = channels[name] else { return .answer(notFound) }
        let work: @Sendable () -> Answer = { [self] in onAir(channel) }
        // Viewers who are kept behind get it from the recording.
        return channel.past?.delayRange == nil ? .work(work) : .reading(on: share.readers, work)
    }

    private func onAir(_ channel: OriginChannel) -> Answer {
        guard let body = channel.onAir() else { return notFound }
        let fields = ResponseFields.fields(
            cacheControl: "public, max-age=1",
            contentType: "application/json",
            of: .background
        )
        return .ok(fields, body)
    }

    private func file(_ request: Request, _ file: PageFile) -> Answer {
        // Asked for again each time, but not sent again.
        var fields = ResponseFields.fields(cacheControl: "no-cache", contentType: file.contentType)
        fields.add(name: "ETag", value: file.entityTag)
        fields.add(contentsOf: PageFields.fields(contentType: file.contentType))
        if let field = request["If-None-Match"], EntityTag.isListed(in: field, file.entityTag) {
            return .notModified(fields)
        }
        return .ok(fields, file.body)
    }

    var notFound: Answer { Rejection(.notFound).answer() }

    private func methodNotAllowed(_ allowed: String) -> Answer {
        Rejection(.methodNotAllowed).answer(["Allow": allowed])
    }
}

extension Lookup.NotFound {
    fileprivate var text: String {
        switch self {
        case .unknown: "not found"
        case .gap: "gap: there is no media for this segment"
        case .expired: "expired: the segment has left the window"
        }
    }
}
