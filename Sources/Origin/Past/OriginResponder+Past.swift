import ContentProtection
import Files
import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Playlists
import Presentation
import Recording

/// Answers with what is recorded: playlists of ranges, and media that is no longer in the window.
///
/// They wait for the disk, and hold up no other work meanwhile.
extension OriginResponder {
    /// The reply to a request for a playlist below a range's path.
    func past(_ asked: MediaRequest, range component: Substring) -> Reply {
        guard let past = asked.channel.past else { return .answer(notFound) }
        guard let range = PastRange(component: component) else { return .answer(rejection(.malformed, asked, past)) }
        return playlist(asked, of: range, past)
    }

    /// The reply to a request for a live path whose query, or whose channel, has it answered from the past; nil if it is not.
    func past(insteadOf asked: MediaRequest) -> Reply? {
        guard let past = asked.channel.past, asked.path.hasSuffix(Self.suffix) else { return nil }
        guard let name = MultivariantName(rawValue: String(asked.path)) else {
            // Recorded lines name media from further below.
            return past.delayRange.map { .answer(redirect(to: "past/\($0.component)/\(asked.path)")) }
        }
        do throws(PastRefusal) {
            let range = try asked.request.target.query.flatMap { query throws(PastRefusal) in
                try PastRange(query: query)
            }
            return (range ?? past.delayRange).map { multivariant(asked, name, of: $0, past, isBeside: true) }
        } catch {
            return .answer(rejection(error, asked, past))
        }
    }

    private func playlist(_ asked: MediaRequest, of range: PastRange, _ past: OriginPast) -> Reply {
        if let name = MultivariantName(rawValue: String(asked.path)) {
            return multivariant(asked, name, of: range, past, isBeside: false)
        }
        guard asked.path.hasSuffix(Self.suffix) else { return .answer(notFound) }
        let id = RenditionID(String(asked.path.dropLast(Self.suffix.count)))
        var skip: SkipDirective?
        if ReloadDirectives.mayBe(in: asked.request.target) {
            do {
                skip = try ReloadDirectives(target: asked.request.target).skip
            } catch {
                let cacheControl = asked.channel.policy.cacheControl(error)
                return .answer(Rejection(.badRequest, "malformed directives", cacheControl: cacheControl).answer())
            }
        }
        let work: @Sendable () -> Answer = { [self, skip] in
            answer(asked, past) { now throws(PastRefusal) in
                try text(asked, of: id, range, past, skip, now: now)
            }
        }
        guard let keys = past.keys, !keys.areDerived else { return .reading(work) }
        return .asking { [self] in
            let unknown = try? await Readers.run { [self] in unknownPeriods(range, asked.channel, past, keys) }
            if let unknown, !unknown.isEmpty { await keys.ask(for: unknown) }
            return .reading(work)
        }
    }

    private func text(
        _ asked: MediaRequest,
        of id: RenditionID,
        _ range: PastRange,
        _ past: OriginPast,
        _ skip: SkipDirective?,
        now: MediaTime
    ) throws(PastRefusal) -> PastText {
        let terms = asked.channel.terms(of: past)
        let section = try PastSection(range, in: past.recording.extent, terms, now: now)
        let playlist = try past.recording.playlist(
            of: id,
            section,
            skip: skip,
            terms,
            variables: asked.channel.presentation.configuration.keyAddresses.variables(in: .media)
        )
        // It may be of a time in which nothing was encrypted.
        if past.keys?.unknownPeriods(of: section.numbers).isEmpty == false, playlist.namesKeys { throw .withoutKeys }
        let accepted = AcceptEncoding(asked.request["Accept-Encoding"])
        let gzip = accepted.allowsGzip ? playlist.gzip : nil
        return PastText(
            body: gzip ?? playlist.body,
            isCompressed: gzip != nil,
            cacheControl: policy(asked, past).mediaPlaylist(section, now: now)
        )
    }

    /// The crypto periods of a range whose keys have to be asked for; none if it is not answered.
    private func unknownPeriods(
        _ range: PastRange,
        _ channel: OriginChannel,
        _ past: OriginPast,
        _ keys: PastKeys
    ) -> [CryptoPeriod] {
        let section = try? PastSection(range, in: past.recording.extent, channel.terms(of: past), now: now())
        guard let section else { return [] }
        return keys.unknownPeriods(of: section.numbers)
    }

    /// Answers a request for a multivariant playlist of the past.
    ///
    /// - Parameters:
    ///   - asked: The request.
    ///   - name: The name of the playlist below the range's path.
    ///   - range: The range that is asked for.
    ///   - past: The past of the channel.
    ///   - isBeside: True if it is asked for beside the live playlists.
    /// - Returns: An answer that reads the recording: the playlist, or why there is none.
    private func multivariant(
        _ asked: MediaRequest,
        _ name: MultivariantName,
        of range: PastRange,
        _ past: OriginPast,
        isBeside: Bool
    ) -> Reply {
        .reading { [self] in
            do throws(FilterError) {
                let filter = try MultivariantFilter(query: asked.request.target.query)
                let (channel, now) = (asked.channel, now())
                let playlist: MultivariantPlaylist
                do throws(PastRefusal) {
                    let section = try PastSection(
                        range,
                        in: past.recording.extent,
                        channel.terms(of: past),
                        now: now
                    )
                    playlist = try past.recording.multivariant(name, section, linking: isBeside ? range : nil)
                } catch {
                    return rejection(error, asked, past)
                }
                return ResourceAnswer.answer(
                    to: asked.request,
                    withPlaylist: PlaylistText(text: try filter.applied(to: playlist).render()),
                    AcceptEncoding(asked.request["Accept-Encoding"]),
                    contentType: Resource.playlistType,
                    cacheControl: channel.policy.multivariantPlaylist
                )
            } catch {
                return rejection(error, asked.channel)
            }
        }
    }

    /// The answer with a text that is made for it.
    private func answer(
        _ asked: MediaRequest,
        _ past: OriginPast,
        _ make: (MediaTime) throws(PastRefusal) -> PastText
    ) -> Answer {
        let text: PastText
        do throws(PastRefusal) {
            text = try make(now())
        } catch {
            return rejection(error, asked, past)
        }
        let answer = text.answer(to: asked.request)
        if asked.request.method == .HEAD { return answer }
        return LongAnswers.shared.admit(answer)
            ?? Rejection(.serviceUnavailable, "too many long playlists at once").answer(["Retry-After": "1"])
    }

    /// The reply to a request for media that the presentation does not have; nil if it may not be in the recording.
    func recorded(_ asked: MediaRequest, _ reason: Lookup.NotFound) -> Reply? {
        // What was a gap when it was listed stays one.
        guard let past = asked.channel.past, reason != .gap, asked.path.contains("/") else { return nil }
        return .reading { [self] in
            do {
                guard let body = try past.recording.body(String(asked.path)) else {
                    return missing(reason, asked.channel)
                }
                let (resource, number) = (Resource(recorded: body, at: asked.path), asked.path.slotNumber)
                let cacheControl = policy(asked, past).media(number, now: now())
                return try ResourceAnswer.answer(to: asked.request, with: resource, cacheControl: cacheControl)
            } catch {
                return Rejection(.serviceUnavailable, PastRefusal.unreadable.description).answer()
            }
        }
    }

    private func policy(_ asked: MediaRequest, _ past: OriginPast) -> PastPolicy {
        PastPolicy(
            channel: asked.channel.policy,
            past: past,
            segmentDuration: asked.channel.presentation.configuration.segmentDuration
        )
    }

    private func rejection(_ refusal: PastRefusal, _ asked: MediaRequest, _ past: OriginPast) -> Answer {
        let status: HTTPResponseStatus =
            switch refusal {
            case .unreadable, .starting: .serviceUnavailable
            case let refusal where refusal.isMalformed: .badRequest
            default: .notFound
            }
        let cacheControl = policy(asked, past).refusal(refusal)
        return Rejection(status, refusal.description, cacheControl: cacheControl)
            .answer(status == .serviceUnavailable ? ["Retry-After": retryAfter(asked.channel)] : [:])
    }

    private func redirect(to location: String) -> Answer {
        Rejection(.temporaryRedirect, cacheControl: "max-age=60").answer(["Location": location])
    }

    private static var suffix: String { ".m3u8" }
}

/// The text of a media playlist of the past, in the form in which it is sent.
private struct PastText {
    var body: ByteBuffer
    var isCompressed: Bool
    var cacheControl: String

    func answer(to request: Request) -> Answer {
        var fields = ResponseFields.fields(
            cacheControl: cacheControl,
            contentType: Resource.playlistType,
            of: .playlist
        )
        fields.add(name: "Vary", value: "Accept-Encoding")
        if isCompressed { fields.add(name: "Content-Encoding", value: "gzip") }
        let entityTag = "\"\(ContentHash.whole(of: body))\(isCompressed ? "-gzip" : "")\""
        fields.add(name: "ETag", value: entityTag)
        if let field = request["If-None-Match"], EntityTag.isListed(in: field, entityTag) {
            return .notModified(fields)
        }
        return .ok(fields, body)
    }
}

extension Resource {
    /// Media of the recording.
    fileprivate init(recorded body: RecordedBody, at path: Substring) {
        let isInitialization = path.slotNumber == nil
        self.init(
            kind: isInitialization ? .initialization : .segment,
            body: .stored(StoredBody(path: String(path), byteCount: body.byteCount, store: RecordedStore(body: body))),
            contentType: SegmentFormat(path: String(path)).contentType(of: body.kind),
            entityTag: body.entityTag
        )
    }
}

/// Reads one recorded body.
private struct RecordedStore: BodyStore {
    let body: RecordedBody

    func holds(_ path: String) -> Bool? { true }

    func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer { try body.read(range) }
}

extension Substring {
    /// The number of the slot whose media the path names; nil for initialization sections.
    fileprivate var slotNumber: MediaSequenceNumber? {
        guard let slash = lastIndex(of: "/") else { return nil }
        return Int64(self[index(after: slash)...].prefix { $0 != "." }).map(MediaSequenceNumber.init)
    }
}
