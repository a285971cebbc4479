import ContentProtection
import Fetching
import Inspection
import MediaCore
import NIOCore
import Playlists

/// Follows one media playlist: its rules, and those of the segments that it lists.
struct MediaPlaylistCheck: Sendable {
    /// The playlist's URI in the multivariant playlist.
    let name: String
    private let url: String
    /// The values of the variables that the multivariant playlist defines.
    private let values: [String: String]
    private let fetcher: any Fetcher
    private var playlistRules = PlaylistRules()
    private var segmentRules = SegmentRules()
    private var newest: MediaSequenceNumber?
    private var initialization: (map: MediaInitialization, section: Section)?

    /// A section that was read.
    private enum Section {
        case boxes(ParsedInitialization)
        /// The tables of a transport stream, which its segments need not have (RFC 8216bis § 3.1.1).
        case tables
        case unreadable
    }
    private var key: (uri: String, key: ContentKey)?
    private var isUnavailable = false
    /// True until a delta update was wrong.
    private var asksForDeltas = true
    /// The version of the last pass that got a playlist.
    private(set) var version: PresentationRules.Version?
    private(set) var isEnded = false
    private(set) var result = StreamCheckResult()

    /// The most segments that are read before the playlist is reloaded: an origin may list more than anybody can load.
    private static let segmentsPerPass = 64

    init(name: String, url: String, values: [String: String] = [:], fetcher: any Fetcher) {
        self.name = name
        self.url = url
        self.values = values
        self.fetcher = fetcher
    }

    /// Loads the playlist, and its new segments.
    ///
    /// - Parameter end: The time after which no segment is requested.
    mutating func pass(until end: ContinuousClock.Instant) async {
        guard let (playlist, base) = await playlist() else { return }
        isEnded = playlist.isEnded
        result.versions += 1
        note(playlistRules.violations(of: playlist))
        await checkDelta(after: playlist)
        let new = playlist.numbered.filter { number, _ in newest.map { number > $0 } ?? true }
        for (number, segment) in new.prefix(Self.segmentsPerPass) where !Task.isCancelled {
            guard ContinuousClock.now < end else { return }
            newest = number
            let listed = SegmentRules.Listed(
                number: number,
                discontinuitySequence: playlist.discontinuitySequence(of: number) ?? 0,
                segment: segment
            )
            await look(into: listed, at: base)
        }
    }

    private mutating func note(_ violations: [RuleViolation]) {
        for violation in violations { result.findings.append(.init(playlist: name, violation: violation)) }
    }

    private mutating func omit(_ omission: StreamCheckResult.Omission) {
        result.omitted[omission, default: 0] += 1
    }

    /// Loads the playlist; returns it with its URL.
    private mutating func playlist() async -> (playlist: MediaPlaylist, base: String)? {
        switch await get(url) {
        case .success(let resource):
            isUnavailable = false
            do throws(PlaylistParsingError) {
                var playlist = try MediaPlaylist(parsing: resource.text, values: values, mayBeUndated: true)
                // If segments were missed, the dates of later ones are unknown.
                if !playlist.continueDates(of: version?.playlist) { segmentRules = SegmentRules() }
                version = PresentationRules.Version(
                    name: name,
                    urls: [url, resource.url],
                    base: resource.url,
                    playlist: playlist,
                    isMultiplexed: resource.isMultiplexed
                )
                return (playlist, resource.url)
            } catch {
                note([RuleViolation(error)])
            }
        case .failure(.status(let status)):
            // The playlist is requested every second.
            if !isUnavailable { note([RuleViolation(.unavailable, "status \(status)")]) }
            isUnavailable = true
        case .failure: break
        }
        return nil
    }

    /// Asks for a delta update, as a player with this version does.
    private mutating func checkDelta(after playlist: MediaPlaylist) async {
        guard asksForDeltas, playlist.serverControl?.canSkipUntil != nil, !playlist.isEnded else { return }
        var found: [RuleViolation] = []
        switch await get(url.adding(parameter: "_HLS_skip=YES")) {
        case .success(let resource):
            do throws(PlaylistParsingError) {
                var delta = try MediaPlaylist(parsing: resource.text, values: values, mayBeUndated: true)
                _ = delta.continueDates(of: playlist)
                found = PlaylistRules.violations(ofDelta: delta, after: playlist)
            } catch {
                found = [RuleViolation(.deltaContradicted, "\(error)")]
            }
        case .failure(.status(let status)): found = [RuleViolation(.deltaContradicted, "status \(status)")]
        case .failure: break
        }
        asksForDeltas = found.isEmpty
        note(found)
    }

    private mutating func look(into listed: SegmentRules.Listed, at base: String) async {
        let (segment, number) = (listed.segment, listed.number)
        if segment.isGap { return result.gaps += 1 }
        if segment.byteRange != nil { return omit(.byteRange) }
        if let map = segment.map, initialization?.map != map {
            guard let body = await clearBody(of: map.uri, map.keys, number, at: base) else { return }
            do throws(MalformedBoxError) {
                let isTransportStream = body.getInteger(at: body.readerIndex, as: UInt8.self) == 0x47
                initialization = (map, isTransportStream ? .tables : .boxes(try ParsedInitialization(body)))
            } catch {
                initialization = (map, .unreadable)
                note([RuleViolation(.segmentMalformed, number: number, "its initialization section: \(error)")])
            }
        }
        var boxes: ParsedInitialization?
        if segment.map != nil {
            // Transport streams with an initialization section are not checked.
            guard case .boxes(let section) = initialization?.section else { return omit(.initialization) }
            boxes = section
        }
        guard let body = await clearBody(of: segment.uri, segment.keys, number, at: base) else { return }
        result.segments += 1
        note(segmentRules.violations(in: body, listed, boxes))
    }

    /// Loads a resource, and decrypts it if it is encrypted as a whole; nil if that fails.
    private mutating func clearBody(
        of uri: String,
        _ keys: [EncryptionKey],
        _ number: MediaSequenceNumber,
        at base: String
    ) async -> ByteBuffer? {
        let sealing = keys.filter(\.method.isOfSegments)
        if sealing.isEmpty { return await body(of: uri.resolved(against: base), number) }
        guard let key = sealing.identity else {
            omit(.encrypted)
            return nil
        }
        let cipher: SegmentCipher = key.method == .aes256GCM ? .aes256GCM : .aes128
        guard let contentKey = await contentKey(key.uri.resolved(against: base), cipher.keySize, number),
            let body = await body(of: uri.resolved(against: base), number)
        else { return nil }
        do throws(OpenSSLError) {
            var decryptor = try SegmentDecryptor(key: contentKey, cipher: cipher)
            return try decryptor.decrypted(body, iv: key.initializationVector ?? number.initializationVector)
        } catch {
            note([RuleViolation(.segmentMalformed, number: number, "\(uri) is not what its key decrypts")])
            return nil
        }
    }

    private mutating func contentKey(
        _ url: String,
        _ byteCount: Int,
        _ number: MediaSequenceNumber
    ) async -> ContentKey? {
        if let key, key.uri == url, key.key.bytes.count == byteCount { return key.key }
        let bytes: ByteBuffer?
        switch await get(url) {
        case .success(let resource): bytes = resource.body
        case .failure(.status(401)), .failure(.status(403)):
            omit(.encrypted)
            return nil
        case .failure(let error): bytes = note(error, url, number)
        }
        guard let bytes else { return nil }
        guard bytes.readableBytes == byteCount, let found = ContentKey(bytes: bytes.readableBytesView) else {
            note([RuleViolation(.segmentMalformed, number: number, "its key does not have \(byteCount) bytes")])
            return nil
        }
        key = (url, found)
        return found
    }

    private mutating func body(of url: String, _ number: MediaSequenceNumber) async -> ByteBuffer? {
        switch await get(url) {
        case .success(let resource): resource.body
        case .failure(let error): note(error, url, number)
        }
    }

    private mutating func note(_ error: FetchError, _ url: String, _ number: MediaSequenceNumber) -> ByteBuffer? {
        if case .status(let status) = error {
            note([RuleViolation(.unavailable, number: number, "\(url): status \(status)")])
        }
        return nil
    }

    private mutating func get(_ url: String) async -> Result<FetchedResource, FetchError> {
        do throws(FetchError) {
            let resource = try await fetcher.fetch(url)
            result.bytes += resource.body.readableBytes
            return .success(resource)
        } catch {
            switch error {
            case .cancelled, .status: break
            default: result.unanswered += 1
            }
            return .failure(error)
        }
    }
}
