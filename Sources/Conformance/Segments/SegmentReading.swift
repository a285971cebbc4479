import Inspection
import MediaCore
import NIOCore
import TimedText

/// The contents of one segment of any format.
struct SegmentReading: Sendable {
    private(set) var span: SegmentSpan?
    /// The state of a transport stream, for the segment that follows.
    private(set) var transportState: TransportStreamState?
    /// Rules that it breaks by itself, each once.
    private(set) var violations: [(rule: PlaylistRule, detail: String)] = []

    /// Reads a segment that is not encrypted as a whole.
    ///
    /// - Parameters:
    ///   - body: The segment.
    ///   - initialization: Nil if it needs none, or it cannot be read.
    ///   - state: The state of the segment before, if it continues that.
    init(_ body: ByteBuffer, _ initialization: ParsedInitialization?, after state: TransportStreamState?) {
        if let initialization {
            readFragments(body, initialization)
        } else if body.getInteger(at: body.readerIndex, as: UInt8.self) == 0x47 {
            readTransportStream(body, after: state)
        } else if body.getString(at: body.readerIndex, length: 3) == "ID3" {
            readPackedAudio(body)
        } else if Self.isWebVTT(body) {
            readWebVTT(body)
        } else {
            note(.segmentMalformed, "it is no transport stream, packed audio or WebVTT, and has no EXT-X-MAP")
        }
    }

    /// Returns true for WebVTT, which may begin with a byte order mark.
    private static func isWebVTT(_ body: ByteBuffer) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = body.readableBytesView
        return bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).starts(with: "WEBVTT".utf8)
    }

    private mutating func note(_ rule: PlaylistRule, _ detail: String) {
        violations.append((rule, detail))
    }

    // MARK: fMP4

    private mutating func readFragments(_ body: ByteBuffer, _ initialization: ParsedInitialization) {
        if initialization.tracks.count > 1 {
            let kinds = initialization.tracks.map { "\($0.handler)" }.joined(separator: ", ")
            note(.tracksMixed, "its initialization section has \(initialization.tracks.count) tracks: \(kinds)")
        }
        let fragments: [ParsedFragment]
        do throws(MalformedBoxError) {
            fragments = try ParsedFragment.fragments(in: body, initialization: initialization)
        } catch {
            return note(.segmentMalformed, "\(error)")
        }
        for track in initialization.tracks {
            read(fragments.filter { $0.trackID == track.trackID }, of: track, isFirst: track == initialization.track)
        }
        let strangers = Set(fragments.map(\.trackID)).subtracting(initialization.tracks.map(\.trackID))
        if let stranger = strangers.min() {
            note(.wrongTracks, "it has media of track \(stranger), which its initialization section does not know")
        }
        checkNumbers(fragments)
    }

    /// ISO/IEC 14496-12 § 8.8.5: sequence numbers rise; of 32 bits, they may start over.
    private mutating func checkNumbers(_ fragments: [ParsedFragment]) {
        var last: ParsedFragment?
        for fragment in fragments where fragment.offset != last?.offset {
            if let last, !(1..<(1 << 31)).contains(fragment.sequenceNumber &- last.sequenceNumber) {
                let numbers = "from \(last.sequenceNumber) to \(fragment.sequenceNumber)"
                return note(.segmentMalformed, "the sequence numbers of its fragments go \(numbers)")
            }
            last = fragment
        }
    }

    private mutating func read(_ fragments: [ParsedFragment], of track: ParsedTrack, isFirst: Bool) {
        let samples = fragments.flatMap(\.samples)
        guard let first = samples.first, let last = samples.last else {
            return note(.wrongTracks, "it has no sample of track \(track.trackID) (\(track.handler))")
        }
        if track.handler == "vide", !first.isSync {
            note(.startsWithoutSyncSample, "its first sample is not a sync sample")
        }
        for (fragment, next) in zip(fragments, fragments.dropFirst())
        where fragment.endDecodeTime != next.baseMediaDecodeTime {
            let times = "\(fragment.endDecodeTime), and the next fragment starts at \(next.baseMediaDecodeTime)"
            note(.decodeTimesBroken, "a fragment in it ends at \(times)")
            break
        }
        guard isFirst else { return }
        let end = last.decodeTime &+ UInt64(last.duration)
        guard let start = Self.ticks(first.decodeTime, track.timescale), let end = Self.ticks(end, track.timescale)
        else {
            return note(.segmentMalformed, "its decode times are out of range")
        }
        let durations = samples.map(\.duration).sorted()
        let frame = Self.ticks(UInt64(durations[durations.count / 2]), track.timescale) ?? 0
        span = SegmentSpan(start: start, end: end, frame: frame, wraps: false)
    }

    /// Converts a time to ticks of 90 kHz; nil beyond any time that counts from 1970 can reach.
    private static func ticks(_ value: UInt64, _ timescale: UInt32) -> Int64? {
        guard timescale > 0, case let (seconds, rest) = value.quotientAndRemainder(dividingBy: UInt64(timescale)),
            seconds < 1 << 40
        else { return nil }
        return Int64(seconds) * MediaTime.timescale + Int64(rest) * MediaTime.timescale / Int64(timescale)
    }

    // MARK: WebVTT

    private mutating func readWebVTT(_ body: ByteBuffer) {
        let text = String(buffer: body)
        // The header ends with the first empty line; lines may end in carriage returns as well (WebVTT § 4.1).
        let header = text.prefix(1000).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .prefix { !$0.isEmpty }
        if !header.contains(where: { $0.hasPrefix("X-TIMESTAMP-MAP=") }) {
            note(.segmentMalformed, "it has no X-TIMESTAMP-MAP, so its times are undefined")
        }
        do throws(TimedTextError) {
            for problem in try TimedTextDocument(parsing: body.readableBytesView).problems.prefix(1) {
                note(.segmentMalformed, problem)
            }
        } catch {
            note(.segmentMalformed, "\(error)")
        }
    }

    // MARK: Transport streams and packed audio

    private mutating func readTransportStream(_ body: ByteBuffer, after state: TransportStreamState?) {
        let stream = ParsedTransportStream(body, after: state)
        transportState = stream.state
        // A damaged stream breaks the same rule with every packet.
        var counts: [TransportStreamViolation.Rule: Int] = [:]
        for violation in stream.violations { counts[violation.rule, default: 0] += 1 }
        for violation in stream.violations {
            guard let count = counts.removeValue(forKey: violation.rule) else { continue }
            let rule = violation.rule == .noRandomAccess ? PlaylistRule.startsWithoutSyncSample : .segmentMalformed
            note(rule, "\(violation)\(count > 1 ? ", and \(count - 1) times more" : "")")
        }
        let leading = stream.map?.streams.first(where: \.isVideo) ?? stream.map?.streams.first
        let times = leading.flatMap { stream.units[$0.pid] }?.compactMap(\.decodeTime) ?? []
        guard let start = times.first else { return }
        let steps = zip(times, times.dropFirst()).map { TransportTime.distance(from: $0, to: $1) }.sorted()
        span = SegmentSpan(
            start: start,
            frame: steps.isEmpty ? Self.longestAudioFrame : steps[steps.count / 2],
            wraps: true
        )
    }

    private mutating func readPackedAudio(_ body: ByteBuffer) {
        do throws(ParsedPackedAudio.MalformedTagError) {
            let start = try ParsedPackedAudio(body).presentationTime
            span = SegmentSpan(start: start, frame: Self.longestAudioFrame, wraps: true)
        } catch {
            note(.segmentMalformed, "its ID3 tag does not tell its time")
        }
    }

    /// 1024 samples of AAC at 16 kHz.
    private static let longestAudioFrame: Int64 = 5760
}
