import ContentProtection
import Files
import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Playlists
import Presentation
import Recording

/// Answers from the recording: playlists of ranges, and media that is no longer in the window.
///
/// These answers wait for the disk without blocking other work.
extension OriginResponder {
    /// The reply to a request for a playlist below a range's path.
    func past(_ asked: MediaRequest, range component: Substring) -> Reply {
        guard let past = asked.channel.past else { return .answer(notFound) }
        guard let range = PastRange(component: component) else { return .answer(rejection(.malformed, asked, past)) }
        return playlist(asked, of: range, past)
    }

    /// The reply from the recording to a request for a live path, if its query or its channel needs the past; else
    /// nil.
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
        return reading(asked, needing: { [self] in unknownPeriods(range, asked.channel, past, $0) }) { [self, skip] in
            mediaPlaylist(asked, of: id, range, past, skip)
        }
    }

    /// The reply that reads a playlist from disk, after the source was asked for keys that its viewers need.
    ///
    /// - Parameters:
    ///   - asked: The request.
    ///   - periods: Returns the periods whose keys are unknown; called only if keys are not derived. It may block.
    ///   - work: Makes the answer.
    /// - Returns: The reply.
    func reading(
        _ asked: MediaRequest,
        needing periods: @escaping @Sendable (PastKeys) -> [CryptoPeriod],
        _ work: @escaping @Sendable () -> Answer
    ) -> Reply {
        let readers = share.readers
        guard let keys = asked.channel.past?.keys, !keys.areDerived else { return .reading(on: readers, work) }
        return .asking { [self] in
            let unknown = try? await readers.run(for: asked.request.network) { periods(keys) }
            guard let unknown else { return .answer(busy) }
            if !unknown.isEmpty { await keys.ask(for: unknown) }
            return .reading(on: readers, work)
        }
    }

    /// Answers with a media playlist whose text is made for the request, if there is room for it.
    private func mediaPlaylist(
        _ asked: MediaRequest,
        of id: RenditionID,
        _ range: PastRange,
        _ past: OriginPast,
        _ skip: SkipDirective?
    ) -> Answer {
        do throws(PastRefusal) {
            let (now, terms) = (now(), asked.channel.terms(of: past))
            let section = try PastSection(range, in: past.recording.extent, terms, now: now)
            // Memory holds the lines read from disk, and the text made from them.
            let lines = try past.recording.linesByteCount(of: id, section, skip: skip, terms)
            guard let room = share.texts.room(for: 2 * lines, of: asked.request.network) else {
                return tooManyPlaylists
            }
            let text = try form(asked, of: id, section, past, skip, terms)
            let cacheControl = policy(asked, past).mediaPlaylist(section, now: now)
            let answer = ResourceAnswer.answer(to: asked.request, with: text, cacheControl: cacheControl)
            return share.texts.admit(answer, in: room) ?? tooManyPlaylists
        } catch {
            return rejection(error, asked, past)
        }
    }

    /// Makes the text of a media playlist, in the form in which it is sent.
    private func form(
        _ asked: MediaRequest,
        of id: RenditionID,
        _ section: PastSection,
        _ past: OriginPast,
        _ skip: SkipDirective?,
        _ terms: PastTerms
    ) throws(PastRefusal) -> PlaylistForm {
        let playlist = try past.recording.playlist(
            of: id,
            section,
            skip: skip,
            terms,
            variables: asked.channel.presentation.configuration.keyAddresses.variables(in: .media)
        )
        // The range may be of a time in which nothing was encrypted.
        if past.keys?.unknownPeriods(of: section.numbers).isEmpty == false, playlist.namesKeys { throw .withoutKeys }
        guard AcceptEncoding(asked.request["Accept-Encoding"]).allowsGzip, let gzip = playlist.gzip else {
            return PlaylistForm(playlist.body)
        }
        return PlaylistForm(gzip: gzip, ContentHash.whole(of: gzip))
    }

    /// The answer while the texts that are being made and sent take all of the memory that they may.
    var tooManyPlaylists: Answer {
        Rejection(.serviceUnavailable, "too many long playlists at once").answer(["Retry-After": "1"])
    }

    /// The crypto periods of a range whose keys must be requested; empty if the range is not answered.
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
    ///   - range: The requested range.
    ///   - past: The past of the channel.
    ///   - isBeside: True if the playlist is beside the live ones.
    /// - Returns: An answer that reads the recording: the playlist, or the reason why there is none.
    private func multivariant(
        _ asked: MediaRequest,
        _ name: MultivariantName,
        of range: PastRange,
        _ past: OriginPast,
        isBeside: Bool
    ) -> Reply {
        .reading(on: share.readers) { [self] in
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

    /// The reply to a request for media that the presentation does not have; nil if it may not be in the recording.
    func recorded(_ asked: MediaRequest, _ reason: Lookup.NotFound) -> Reply? {
        // A segment that was listed as a gap stays one.
        guard let past = asked.channel.past, reason != .gap, asked.path.contains("/") else { return nil }
        return .reading(on: share.readers) { [self] in
            do {
                guard let body = try past.recording.body(String(asked.path)) else {
                    return missing(reason, asked.channel)
                }
                let (resource, number) = (Resource(recorded: body, at: asked.path), asked.path.slotNumber)
                let cacheControl = policy(asked, past).media(number, now: now())
                let answer = try ResourceAnswer.answer(
                    to: asked.request,
                    with: resource,
                    cacheControl: cacheControl,
                    by: share.readers
                )
                return noted(answer, asked)
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

extension Resource {
    /// Media of the recording.
    init(recorded body: RecordedBody, at path: Substring) {
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

    func place(of range: Range<Int>, in path: String) -> FilePlace? { body.place(of: range) }
}

extension Substring {
    /// The number of the slot whose media the path names; nil for initialization sections.
    fileprivate var slotNumber: MediaSequenceNumber? {
        guard let slash = lastIndex(of: "/") else { return nil }
        return Int64(self[index(after: slash)...].prefix { $0 != "." }).map(MediaSequenceNumber.init)
    }
}
