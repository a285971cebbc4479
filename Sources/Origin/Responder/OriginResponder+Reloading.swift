import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Playlists
import Presentation

/// Requests that wait for the next publication.
extension OriginResponder {
    /// Answers a request for a playlist.
    ///
    /// - Parameters:
    ///   - asked: The request.
    ///   - resource: The present playlist.
    ///   - text: Its text.
    ///   - now: The time now, in UTC.
    /// - Returns: The reply: now, or once the playlist has what is asked for.
    func playlist(_ asked: MediaRequest, _ resource: Resource, _ text: PlaylistText, now: MediaTime) -> Reply {
        if mayWait(asked, resource) {
            let id = RenditionID(String(asked.path.dropLast(Self.suffixLength)))
            if ReloadDirectives.mayBe(in: asked.request.target),
                asked.channel.presentation.configuration.partTarget != nil
            {
                return reload(asked, resource, text, of: id, now: now)
            }
            if asked.channel.media.holdsNext, asked.mayWait, asked.request.method == .GET,
                refusal(asked.channel, now: now) == nil, let next = asked.channel.presentation.nextSlot(of: id)
            {
                return wait(for: next, asked, patience: asked.channel.policy.cadence)
            }
        }
        return playlist(asked.request, asked.channel, resource, text, now: now)
    }

    /// Returns true if a playlist may be one that requests wait for; one with EXT-X-ENDLIST is sent as it is (RFC
    /// 8216bis § 6.2.5).
    private func mayWait(_ asked: MediaRequest, _ resource: Resource) -> Bool {
        guard resource.kind == .mediaPlaylist else { return false }
        let presentation = asked.channel.presentation
        return (asked.channel.media.holdsNext || presentation.configuration.partTarget != nil) && !presentation.isEnded
    }

    /// The reply to a request with directives (RFC 8216bis § 6.2.5).
    private func reload(
        _ asked: MediaRequest,
        _ resource: Resource,
        _ text: PlaylistText,
        of id: RenditionID,
        now: MediaTime
    ) -> Reply {
        let (channel, presentation) = (asked.channel, asked.channel.presentation)
        let directives: ReloadDirectives
        do {
            directives = try ReloadDirectives(target: asked.request.target)
        } catch {
            let cacheControl = channel.policy.cacheControl(error)
            return .answer(Rejection(.badRequest, "malformed directives", cacheControl: cacheControl).answer())
        }
        if let position = directives.position {
            switch presentation.reload(id, at: position) {
            case .ready: break
            // The answer to the same request is another one soon.
            case .tooFar, .never: return .answer(Rejection(.badRequest, "too far ahead").answer())
            case .waiting(let condition):
                if let refusal = refusal(channel, now: now) { return .answer(refusal) }
                return waitOnce(for: condition, asked)
            }
        }
        // Since the text was looked up, the playlist may have become as long as it has to be.
        let newest = presentation.resource(asked.path, now: now).text ?? text
        let delta = directives.skip.flatMap { presentation.deltaPlaylist(of: id, $0) }
        let isBlocking = directives.position != nil
        return playlist(asked.request, channel, resource, delta ?? newest, isBlocking: isBlocking, now: now)
    }

    /// The reply to a request for a part that is not there: the next one, which the playlist hints at, is sent as soon as
    /// it is whole (RFC 8216bis § 4.4.5.3).
    ///
    /// - Returns: Nil if it is not waited for, though it may still come.
    func part(_ asked: MediaRequest) -> Reply? {
        let channel = asked.channel
        guard channel.presentation.configuration.partTarget != nil, let path = PartPath(asked.path) else { return nil }
        switch channel.presentation.part(path.rendition, at: path.position) {
        case .ready:
            // The part has come since it was looked up.
            return asked.mayWait ? media(asked.afterWait) : nil
        case .waiting(let condition): return waitOnce(for: condition, asked)
        case .tooFar: return nil
        case .never:
            let cacheControl = channel.policy.cacheControl(.expired)
            return .answer(Rejection(.notFound, "there is no such part", cacheControl: cacheControl).answer())
        }
    }

    /// Suspends a request for as long as allowed (RFC 8216bis § 6.2.5.2), unless it has waited already.
    private func waitOnce(for condition: PlaylistCondition, _ asked: MediaRequest) -> Reply {
        if asked.mayWait { return wait(for: condition, asked, patience: asked.channel.policy.patience) }
        let rejection = Rejection(.serviceUnavailable, "not published in time, or too many requests wait for it")
        return .answer(rejection.answer(["Retry-After": retryAfter(asked.channel)]))
    }

    /// Suspends a request, and answers it afterwards with the current state.
    func wait(for condition: PlaylistCondition, _ asked: MediaRequest, patience: TimeAmount) -> Reply {
        let (presentation, endpoint) = (asked.channel.presentation, asked.channel.endpoint)
        let isFailing: @Sendable () -> Bool = { [now] in
            // Media is never withheld, and a channel that has not begun does not fail yet.
            guard case .reaches = condition else { return false }
            return !endpoint.failures(now: now()).isEmpty
        }
        let waiting = Waiting { eventLoop, isOver in
            let ticket = presentation.wait(
                for: condition,
                of: asked.request.network,
                patience: patience,
                on: eventLoop,
                unless: isFailing,
                isOver
            )
            guard let ticket else { return nil }
            return { presentation.stopWaiting(ticket) }
        } reply: { [self] in
            media(resumed(asked))
        }
        return .waiting(waiting)
    }

    /// Returns a request whose wait is over: it may continue waiting for a channel that has taken the place of the one that it
    /// waited for.
    private func resumed(_ asked: MediaRequest) -> MediaRequest {
        guard let channel = channels[asked.channel.name[...]],
            channel.presentation !== asked.channel.presentation
        else { return asked.afterWait }
        var asked = asked
        asked.channel = channel
        return asked
    }

    /// The characters of `.m3u8`.
    private static var suffixLength: Int { 5 }
}

extension MediaRequest {
    /// The same request, once it has waited.
    fileprivate var afterWait: MediaRequest {
        var asked = self
        asked.mayWait = false
        return asked
    }
}

extension Lookup {
    fileprivate var text: PlaylistText? {
        if case .found(let resource) = self { resource.text } else { nil }
    }
}
