package import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Playlists
import Presentation

/// The way of nearly all requests: a plain GET of what is in memory is answered with a head that was made before.
///
/// The head is that of the other way, which makes it for a request without any fields. Everything that is not found
/// here at once goes the other way: a resource that is missing, expired, held back, still to be made, or on a disk and
/// not read recently.
extension OriginResponder {
    package func prepared(for get: PlainGet) -> PreparedAnswer? {
        guard servesMedia, !log.isVerbose, let (name, path) = get.mediaPath, let channel = channels.media(of: name)
        else { return nil }
        return listed(get, channel, path) ?? recent(get, channel, path)
    }

    /// The answer with what is listed and in memory.
    private func listed(_ get: PlainGet, _ channel: ChannelMedia, _ path: String) -> PreparedAnswer? {
        guard !channel.isDelayed, let resource = channel.presentation.listed(path), !isReload(get, resource, channel)
        else { return nil }
        let now = now()
        let accepted = get.acceptedCodings
        let sent =
            if let text = resource.text {
                playlist(text, of: channel, resource, at: path, accepted, now: now)
            } else {
                media(of: channel, resource, at: path, accepted, now: now)
            }
        guard let (head, body) = sent, let forms = head.forms as? PreparedAnswer.Head else { return nil }
        count(get, channel, RequestKind(rawValue: head.kind) ?? .other, bytes: body.readableBytes)
        return PreparedAnswer(forms, more: HealthFields.fields(of: channel.endpoint), body: body, time: now)
    }

    /// The answer with media on a disk that was sent to another viewer a moment ago.
    private func recent(_ get: PlainGet, _ channel: ChannelMedia, _ path: String) -> PreparedAnswer? {
        guard get.takesFiles, get.acceptedCodings.allowsIdentity,
            let (head, file) = channel.recent.answer(at: path, get.arrival)
        else { return nil }
        count(get, channel, RequestKind(target: get.text(get.target)), bytes: file.byteCount)
        return PreparedAnswer(head, more: HealthFields.fields(of: channel.endpoint), file: file, time: now())
    }

    /// Returns true if a request may have to wait, or is for another text than that of the resource.
    private func isReload(_ get: PlainGet, _ resource: Resource, _ channel: ChannelMedia) -> Bool {
        if resource.kind == .multivariantPlaylist {
            // The playlist may be filtered, or of the past.
            return get.hasQuery && get.text(get.target).query.map(\.mayChoose) ?? false
        }
        guard resource.kind == .mediaPlaylist else { return false }
        if channel.holdsNext { return true }
        return get.hasQuery && channel.presentation.configuration.partTarget != nil
            && ReloadDirectives.mayBe(in: get.text(get.target))
    }

    private func playlist(
        _ text: PlaylistText,
        of channel: ChannelMedia,
        _ resource: Resource,
        at path: String,
        _ accepted: AcceptEncoding,
        now: MediaTime
    ) -> (ServedHead, ByteBuffer)? {
        let form = accepted.allowsGzip ? PlaylistText.Form.gzip : .plain
        guard text.isMade(form), text.asked(for: form), channel.endpoint.failures(now: now).isEmpty else { return nil }
        let gzip = accepted.allowsGzip ? text.gzip : nil
        guard accepted.allowsIdentity || gzip != nil else { return nil }
        let representation = gzip ?? text.plain
        let head = representation.head.made {
            let answer = ResourceAnswer.answer(
                to: Request(.GET, ""),
                withPlaylist: text,
                accepted,
                contentType: resource.contentType,
                cacheControl: channel.policy.cacheControl(resource, now: now)
            )
            return ServedHead(answer, of: channel, path)
        }
        return head.map { ($0, representation.body) }
    }

    private func media(
        of channel: ChannelMedia,
        _ resource: Resource,
        at path: String,
        _ accepted: AcceptEncoding,
        now: MediaTime
    ) -> (ServedHead, ByteBuffer)? {
        guard let body = resource.body.memory, accepted.allowsIdentity else { return nil }
        let head = resource.head?.made {
            let cacheControl = channel.policy.cacheControl(resource, now: now)
            let answer = try? ResourceAnswer.answer(to: Request(.GET, ""), with: resource, cacheControl: cacheControl)
            return answer.flatMap { ServedHead($0, of: channel, path) }
        }
        return head.map { ($0, body) }
    }

    /// Counts a request, and logs it.
    private func count(_ get: PlainGet, _ channel: ChannelMedia, _ kind: RequestKind, bytes count: Int) {
        let viewer = get.viewer(of: channel.name)
        counters.mediaRequested(by: viewer.hash, viewer.report, of: channel.name)
        counters.answered(kind, .ok, bytes: count)
        log.record(get, bytes: count)
    }
}

extension ServedHead {
    /// Fails if the answer is no whole resource, or its path has another meaning.
    fileprivate convenience init?(_ answer: Answer, of channel: ChannelMedia, _ path: String) {
        let target = "/\(channel.name)/\(path)"
        guard answer.status == .ok, case .media? = try? Route(target: target) else { return nil }
        self.init(PreparedAnswer.Head(answer), kind: RequestKind(target: target).rawValue)
    }
}

extension PlainGet {
    /// The channel's name and the path below it; nil if the path has no two components.
    fileprivate var mediaPath: (name: Substring, path: String)? {
        withBytes { bytes in
            let slash = UInt8(ascii: "/")
            let rest = bytes[(path.lowerBound + 1)..<path.upperBound]
            guard let end = rest.firstIndex(of: slash), end + 1 < rest.endIndex else { return nil }
            let name = String(decoding: rest[..<end], as: UTF8.self)
            return (name[...], String(decoding: rest[(end + 1)...], as: UTF8.self))
        }
    }

    fileprivate var acceptedCodings: AcceptEncoding {
        guard let acceptEncoding else { return AcceptEncoding(nil) }
        return withBytes { AcceptEncoding(bytes: $0[acceptEncoding]) }
    }

    /// Returns the viewer and the CMCD report, as ``Request/viewer(of:)`` does.
    fileprivate func viewer(of channel: String) -> (hash: Int, report: CMCD?) {
        let report =
            hasQuery || !reports.isEmpty ? CMCD(target: text(target), fields: reports.map { text($0) }) : nil
        let hash = withBytes { bytes in
            Request.viewer(of: channel, report, client: client, userAgent: .init(rebasing: bytes[userAgent ?? 0..<0]))
        }
        return (hash, report)
    }
}
