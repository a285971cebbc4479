import HTTPTypes
package import Hummingbird
package import MediaCore
import NIOCore
import Presentation

/// Answers every request of the public face.
///
/// A request runs through here in one piece: its target is read, the answer is made, counted and logged. There is no
/// router and no chain of middlewares, because there are eight kinds of paths and one policy for all.
package struct OriginResponder: HTTPResponder {
    package typealias Context = OriginRequestContext

    let channels: [Substring: ServedChannel]
    private let channelList: ByteBuffer
    let maximumBodyBytes: Int
    private let counters: OriginCounters
    let log: AccessLog
    private let now: @Sendable () -> MediaTime

    /// What does not change of a channel, found by its name.
    struct ServedChannel {
        var channel: OriginChannel
        var policy: CachePolicy
    }

    /// Takes channels whose names differ and consist of letters, digits, `-`, `.` and `_`, as the configuration has seen
    /// to; `now` is UTC, counted from 1970.
    package init(
        channels: [OriginChannel],
        maximumBodyBytes: Int,
        counters: OriginCounters,
        log: AccessLog,
        now: @escaping @Sendable () -> MediaTime
    ) {
        self.channels = Dictionary(
            uniqueKeysWithValues: channels.map { channel in
                precondition(channel.name.utf8.allSatisfy(Self.isNameCharacter), "a channel's name is part of its URLs")
                let policy = CachePolicy(channel.presentation.configuration)
                return (channel.name[...], ServedChannel(channel: channel, policy: policy))
            }
        )
        let names = channels.map { "\"\($0.name)\"" }.joined(separator: ",")
        channelList = ByteBuffer(string: "{\"channels\":[\(names)]}\n")
        self.maximumBodyBytes = maximumBodyBytes
        self.counters = counters
        self.log = log
        self.now = now
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default:
            false
        }
    }

    /// - Throws: What the connection throws while a body is read.
    package func respond(to request: Request, context: OriginRequestContext) async throws -> Response {
        let start = ContinuousClock.now
        var response = try await answer(to: request, context: context)
        // RFC 9110 § 9.3.2: HEAD has the fields of GET, its Content-Length among them.
        if request.method == .head { response = response.createHeadResponse() }
        let bytes = response.body.contentLength ?? 0
        counters.answered(bytes: bytes)
        log.record(request, response, bytes: bytes, duration: ContinuousClock.now - start)
        return response
    }

    private func answer(to request: Request, context: OriginRequestContext) async throws -> Response {
        if request.method == .options { return preflight }
        let route: Route
        do {
            route = try Route(target: request.head.path ?? "")
        } catch {
            switch error {
            case .malformed: return Rejection(.badRequest, "malformed target").response()
            case .unknown: return notFound
            }
        }
        if case .clearKeyLicense(let channel) = route {
            guard request.method == .post else { return methodNotAllowed("POST, OPTIONS") }
            return try await license(request, channel: channel)
        }
        guard request.method == .get || request.method == .head else {
            return methodNotAllowed("GET, HEAD, OPTIONS")
        }
        return answer(to: request.head, route: route, context: context)
    }

    private func answer(to request: HTTPRequest, route: Route, context: OriginRequestContext) -> Response {
        switch route {
        case .media(let channel, let path):
            guard let served = channels[channel] else { return notFound }
            counters.mediaRequested(by: context.viewer(userAgent: request.headerFields[.userAgent]))
            return media(request, served, path: path)
        case .playerPage(let channel):
            if let channel, channels[channel] == nil { return notFound }
            return file(request, PlayerFile.page)
        case .playerFile(let name):
            return PlayerFile.files[name].map { file(request, $0) } ?? notFound
        case .channel(let name):
            if channels[name] == nil { return notFound }
            // Relative, so that it holds below a proxy's prefix as well.
            return Rejection(.permanentRedirect, cacheControl: "max-age=3600").response([.location: "\(name)/"])
        case .channelList:
            return .ok(
                ResponseFields.fields(cacheControl: "no-cache", contentType: "application/json"),
                channelList
            )
        case .keySchedule(let channel): return keySchedule(channel: channel)
        case .window(let channel):
            guard let window = channels[channel]?.channel.window() else { return notFound }
            return .ok(ResponseFields.fields(cacheControl: "no-store", contentType: "application/json"), window)
        case .key(let channel, let keyID): return key(keyID, channel: channel)
        case .clearKeyLicense: return methodNotAllowed("POST, OPTIONS")
        }
    }

    private func media(_ request: HTTPRequest, _ served: ServedChannel, path: Substring) -> Response {
        let now = now()
        switch served.channel.presentation.resource(path, now: now) {
        case .found(let resource):
            if resource.kind.isPlaylist { return playlist(request, served, resource, now: now) }
            return ResourceAnswer.response(to: request, with: resource, policy: served.policy, now: now)
        case .notFound(let reason):
            return Rejection(.notFound, reason.text, cacheControl: served.policy.absence).response()
        case .starting(let seconds):
            return Rejection(.serviceUnavailable, "starting: nothing is published yet")
                .response([.retryAfter: String(seconds)])
        }
    }

    private func file(_ request: HTTPRequest, _ file: PlayerFile) -> Response {
        // Asked for again each time, but not sent again.
        var fields = ResponseFields.fields(cacheControl: "no-cache", contentType: file.contentType)
        fields.append(HTTPField(name: .eTag, value: file.entityTag))
        if let field = request.headerFields[.ifNoneMatch], EntityTag.isListed(in: field, file.entityTag) {
            return .notModified(fields)
        }
        return .ok(fields, file.body)
    }

    private var preflight: Response {
        var response = Response(status: .noContent, headers: ResponseFields.preflight)
        response.headers[.contentLength] = nil
        return response
    }

    var notFound: Response { Rejection(.notFound, cacheControl: "public, max-age=5").response() }

    private func methodNotAllowed(_ allowed: String) -> Response {
        Rejection(.methodNotAllowed).response([.allow: allowed])
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
