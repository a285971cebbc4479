import AdSources
import Archive
import CPIX
import Codecs
import Control
import Foundation
import HTTPServing
import ISOBMFF
import Inspection
import MPEGTS
import MediaCore
import NIOCore
import Operations
import Origin
import PackagerConfig
import Playlists
import Publishing
import SCTE35
import TimedText

/// Readers of untrusted bytes: each takes any bytes, and neither traps nor hangs.
///
/// The fuzzers and the replay of what they have found both enter here.
package enum Reader: String, CaseIterable, Sendable {
    case h264, hevc, av1, aac, ac3, mpegAudio, opus, flac, alac
    case boxes, transportStream, packedAudio
    /// A section of SCTE-35, whose checksum is made right.
    case splice
    case playlist, configuration, request, journal, peer, cpix
    /// The head of a request, as it comes.
    case head
    /// Commands that are posted to the control API: splices, date ranges, cues and metadata.
    case command
    /// A finished playlist of an advertisement, in a directory of them.
    case advertisement
    case webVTT, ttml
    /// Triplets of CEA-608 and 708, three bytes each, one to a picture.
    case captions
    /// Text of libavcodec's decoders, and samples of WebVTT in MP4.
    case cueText
    /// Answers of servers of advertisements, and of programs that stand in for them.
    case vast, assetList
    /// A schedule of a peer, or of the process before.
    case schedule
    /// A request for a content key, as it comes and as what is in one that is encrypted.
    case spc
    /// Requests for licences, in any of their forms.
    case license
    /// The bytes of an encoder that publishes by RTMP, from the handshake on.
    case rtmp
    /// Datagrams of SRT, each behind its length in two bytes, by turns from one caller and from the listener.
    case srt
    /// A whole feed, through libavformat, to playlists.
    case feed

    /// Reads bytes that may be anything.
    package func read(_ bytes: [UInt8]) {
        switch self {
        case .h264: readCodec(.h264, bytes)
        case .hevc: readCodec(.hevc, bytes)
        case .av1: readCodec(.av1, bytes)
        case .aac: readCodec(.aac, bytes)
        case .ac3: readCodec(.ac3, bytes)
        case .mpegAudio: readCodec(.mp3, bytes)
        case .opus: readCodec(.opus, bytes)
        case .flac: readCodec(.flac, bytes)
        case .alac: readCodec(.alac, bytes)
        case .boxes: readBoxes(ByteBuffer(bytes: bytes))
        case .transportStream: readTransportStream(ByteBuffer(bytes: bytes))
        case .splice: readSection(bytes)
        case .packedAudio: _ = try? ParsedPackedAudio(ByteBuffer(bytes: bytes))
        case .playlist: readPlaylist(String(decoding: bytes, as: UTF8.self))
        case .configuration:
            let file = ConfigurationFile(name: "fuzz.yaml", text: String(decoding: bytes, as: UTF8.self))
            _ = try? Configuration.load(file: file)
        case .request: readRequest(String(decoding: bytes, as: UTF8.self))
        case .head: HeadHarness.run(bytes)
        case .journal: _ = try? JournalContents(reading: ByteBuffer(bytes: bytes))
        case .peer: _ = try? PeerDocument(json: bytes)
        case .spc: KeyRequestHarness.shared.run(bytes)
        case .license: LicenseHarness.shared.run(bytes)
        case .cpix: readKeys(bytes)
        case .command: CommandHarness.read(ByteBuffer(bytes: bytes))
        case .advertisement: AdvertisementHarness.run(bytes)
        case .webVTT, .ttml: readTimedText(bytes)
        case .captions: readCaptions(bytes)
        case .cueText: readCueText(bytes)
        case .vast: AdvertisementHarness.readVAST(bytes)
        case .assetList: readAssetList(bytes)
        case .schedule: readSchedule(bytes)
        case .rtmp: readPublisher(bytes)
        case .srt: readCaller(bytes)
        case .feed: FeedHarness().run(bytes)
        }
    }

    /// A codec header, then packets, each behind its length in two bytes.
    private func readCodec(_ codec: InputTrack.Codec, _ bytes: [UInt8]) {
        var rest = ByteBuffer(bytes: bytes)
        let header = rest.readChunk()
        let track = InputTrack(index: .init(0), kind: .video, codec: codec, header: header)
        var video = (try? track.accessUnitReader(wantsSubsamples: true, wantsTimecode: true)) ?? nil
        var audio = (try? track.audioFrameReader()) ?? nil
        while rest.readableBytes > 0 {
            let packet = rest.readChunk()
            if let unit = try? video?.read(packet.span.bytes), unit.packetBytes > packet.count {
                fatalError("too long")
            }
            if let read = try? audio?.read(packet.span.bytes), read.unreadBytes > packet.count {
                fatalError("too long")
            }
            let configuration = video?.codecConfiguration ?? audio?.codecConfiguration
            _ = configuration?.rfc6381
            if let configuration { _ = AudioSilence.frame(for: configuration) }
        }
    }

    private func readBoxes(_ bytes: ByteBuffer) {
        let initialization = try? ParsedInitialization(bytes)
        _ = try? ParsedFragment.fragments(in: bytes, initialization: initialization)
        _ = BoxDump(bytes, perSampleIVSize: 8)
    }

    private func readTransportStream(_ bytes: ByteBuffer) {
        let stream = ParsedTransportStream(bytes)
        for pid in [0x100, 0x101, 0x102] as [UInt16] { _ = stream.elementaryStream(pid) }
        var sections = SpliceSectionReader([.automatic, .number(0x101)])
        for section in sections.read(bytes.readableBytesSpan) { _ = try? SpliceInfoSection(section.bytes.span.bytes) }
    }

    private func readSection(_ bytes: [UInt8]) {
        _ = try? SpliceInfoSection(bytes.span.bytes)
        var whole = Array(bytes.dropLast(4))
        let checksum = SectionChecksum.value(whole)
        whole += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) }
        guard let section = try? SpliceInfoSection(whole.span.bytes), let written = try? section.bytes() else { return }
        guard let again = try? SpliceInfoSection(written.span.bytes), again == section else {
            fatalError("what was written is not what was read")
        }
    }

    private func readPlaylist(_ text: String) {
        if let playlist = try? MediaPlaylist(parsing: text) {
            // What is written of it says the same, unless a variable makes something else of it.
            let again = try? MediaPlaylist(parsing: playlist.render())
            if again == nil, playlist.variables.isEmpty { fatalError("what was written cannot be read") }
        }
        if let playlist = try? MultivariantPlaylist(parsing: text) { _ = playlist.render() }
    }

    private func readKeys(_ bytes: [UInt8]) {
        guard var document = try? CPIXDocument(parsing: bytes) else { return }
        document.recipients = []
        // Only what it cannot apply is lost.
        guard let again = try? CPIXDocument(parsing: document.xml().utf8), again.keys == document.keys,
            again.systems == document.systems, again.periods.map(\.id) == document.periods.map(\.id)
        else { fatalError("what was written is not what was read") }
    }

    private func readTimedText(_ bytes: [UInt8]) {
        _ = try? TimedTextDocument(parsing: bytes, isGrowing: true)
        guard let document = try? TimedTextDocument(parsing: bytes) else { return }
        let segment = WebVTTSegment(mediaOrigin: .zero, container: .fmp4, cues: document.cues).render()
        guard let again = try? TimedTextDocument(parsing: Array(segment.utf8)), again.cues.count == document.cues.count,
            again.problems.isEmpty
        else { fatalError("what was written is not what was read") }
        let written = IMSC1Document(language: "en", cues: document.cues).render()
        guard (try? TimedTextDocument(parsing: Array(written.utf8))) != nil else { fatalError("no XML was written") }
    }

    private func readCaptions(_ bytes: [UInt8]) {
        var line21 = (1...4).map { Line21Reader(channel: $0, modulus: Timestamps.transportStreamModulus) }
        var service = CaptionServiceReader(service: 1, modulus: Timestamps.transportStreamModulus)
        for (picture, place) in stride(from: 0, to: bytes.count - 2, by: 3).enumerated() {
            guard let kind = CaptionTriplet.Kind(rawValue: bytes[place] & 3) else { continue }
            let triplets = [CaptionTriplet(kind, bytes[place + 1], bytes[place + 2])]
            let time = Int64(picture) * 3_003
            var cues = service.read(triplets, at: time)
            for index in line21.indices { cues += line21[index].read(triplets, at: time) }
            for cue in cues { check(cue.content) }
        }
    }

    private func readCueText(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let contents = [
            CueContent(assTexts: [text]), CueContent(assTexts: [text], isPage: true),
            CueContent(webVTTSample: bytes.span.bytes),
        ]
        for content in contents { if let content { check(content) } }
    }

    /// Checks that what is written of a cue is read again as it was.
    private func check(_ content: CueContent) {
        guard CueContent(bytes: content.bytes) == content else { fatalError("what was written is not what was read") }
        let cue = TimedCue(start: .zero, end: MediaTime(seconds: 1), content: content)
        readTimedText(Array(WebVTTSegment(mediaOrigin: .zero, container: .fmp4, cues: [cue]).render().utf8))
    }

    /// Grants all requests, in whatever pieces they come.
    private func readPublisher(_ bytes: [UInt8]) {
        var session = PublishSession()
        var file = FLVWriter()
        var media = ByteBuffer()
        do {
            for piece in [bytes.prefix(3_500), bytes.dropFirst(3_500)] {
                var actions: [PublishSession.Action] = []
                try session.read(ByteBuffer(bytes: piece), into: &actions)
                while !actions.isEmpty {
                    let action = actions.removeFirst()
                    switch action {
                    case .requested: try session.accept(into: &actions)
                    case .media(let message): file.write(message, to: &media)
                    case .send, .ended: break
                    }
                }
            }
        } catch {}
        // No message is made of nothing: a tag has 15 bytes that its message need not have.
        if media.readableBytes > 16 * (bytes.count + 16) { fatalError("more media than bytes") }
    }

    private func readCaller(_ bytes: [UInt8]) {
        var gate = SRTGate(streamIDs: ["key"], allowed: [])
        let caller = SRTGate.Caller(address: "192.0.2.1", port: 1)
        var rest = ByteBuffer(bytes: bytes)
        while rest.readableBytes > 0 {
            _ = gate.received(ByteBuffer(bytes: rest.readChunk()), from: caller, at: .zero)
            _ = gate.answered(ByteBuffer(bytes: rest.readChunk()), to: caller)
        }
        if gate.known.count > 1 { fatalError("more callers than called") }
    }

    private func readAssetList(_ bytes: [UInt8]) {
        guard let list = try? AssetList(parsing: Data(bytes)) else { return }
        guard let written = try? list.json(), let again = try? AssetList(parsing: written), again == list else {
            fatalError("what was written is not what was read")
        }
    }

    private func readSchedule(_ bytes: [UInt8]) {
        guard let document = try? ScheduleDocument(json: bytes) else { return }
        var schedule = Schedule()
        schedule.merge(document.actions, at: .zero)
        schedule.expire(at: document.actions.first?.effective ?? .zero)
        guard let written = try? document.json(), let again = try? ScheduleDocument(json: written), again == document
        else { fatalError("what was written is not what was read") }
    }

    private func readRequest(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if let target = lines.first {
            _ = try? Route(target: target)
            _ = RequestPath.decoded(target)
            _ = CMCD(target: target, fields: Array(lines.dropFirst()))
            _ = AccessLog.printable(target, limit: 64)
        }
        for field in lines.dropFirst() {
            for length in [0, 1, 1000, Int.max] { _ = RequestedRange(field, length: length) }
            _ = AcceptEncoding(field)
            _ = EntityTag.isListed(in: field, "\"0123\"")
            _ = EntityTag.allowsRange(ifRange: field, "\"0123\"")
        }
    }
}

extension ByteBuffer {
    /// Bytes behind their length; what is left where there are not as many.
    fileprivate mutating func readChunk() -> [UInt8] {
        guard let length = readInteger(as: UInt16.self) else {
            clear()
            return []
        }
        return readBytes(length: min(Int(length), readableBytes)) ?? []
    }
}
