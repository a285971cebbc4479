import Codecs
package import MediaCore
import NIOCore
import Segmenting
import Synchronization
import TimedText
import Timeline

/// One input of a channel: reads its packets on the thread that delivers them, and passes on their content.
package final class ChannelInput: InputConsumer {
    private let channel: Channel
    private let id: InputID
    private let pace: InputPace
    private let keyFrames: NewestKeyFrames?
    /// The state, which is locked by the input's own thread alone.
    private let state = Mutex(State())

    struct State {
        var isConnected = false
        /// The tracks, by the container's index.
        var tracks: [InputTrackIndex: Track] = [:]
        var text: TextTracks?
        var captions: CaptionTracks?
    }

    struct Track {
        var description: InputTrack
        var reader: TrackReader
        var unreadable: UnreadablePackets
    }

    init(channel: Channel, id: InputID, pace: InputPace, keyFrames: NewestKeyFrames?) {
        self.channel = channel
        self.id = id
        self.pace = pace
        self.keyFrames = keyFrames
    }

    package func inputOpened(tracks: [InputTrack], timestampModulus: Int64?) {
        let text = TextTracks(of: tracks, channel.configuration)
        let tracks = text.tracks
        let problems = state.withLock {
            $0.opened(text, channel.configuration, modulus: timestampModulus, pace: pace)
        }
        keyFrames?.keep(only: Set(tracks.lazy.filter { $0.kind == .video }.map(\.index)))
        channel.handle(.opened(id, tracks))
        channel.wakeInputs()
        channel.waitForStart(id)
        for (track, problem) in problems { channel.handle(.unreadable(id, track: track, problem: "\(problem)")) }
        channel.handle(.began(id, tracks, timestampModulus: timestampModulus))
    }

    package func inputReceived(_ packet: PacketInfo, payload: RawSpan) {
        let packets = state.withLock { $0.read(packet, payload) }
        if packets.isEmpty { return }
        keyFrames?.look(at: packets)
        for packet in packets { channel.handle(.packet(id, packet)) }
        if pace == .stored { channel.waitForOthers(id) }
    }

    package func inputReceivedMetadata(_ packet: PacketInfo, program: Int?, payload: RawSpan) {
        guard let timestamp = packet.presentationTimestamp ?? packet.decodeTimestamp else { return }
        var bytes = ByteBuffer()
        bytes.writeBytes(payload)
        channel.handle(.metadata(id, timestamp: timestamp, bytes))
    }

    package func inputReceivedSplice(_ section: RawSpan, program: Int?, shift: Int64) {
        do {
            channel.handle(.splice(id, try SpliceMessage(reading: section, shift: shift)))
        } catch {
            channel.handle(.noticed(id, .unreadableSplice(reason: "\(error)")))
        }
    }

    package func inputLost(reason: String) {
        state.withLock { $0.isConnected = false }
        keyFrames?.replace(with: [])
        channel.handle(.lost(id, reason: reason))
    }

    package func inputEnded() {
        channel.handle(.ended(id))
        channel.wakeInputs()
    }

    package func inputNoticed(_ notice: InputNotice) { channel.handle(.noticed(id, notice)) }

    package func inputExamined(_ finding: ContentFinding) { channel.handle(.examined(id, finding)) }
}

extension NewestKeyFrames {
    /// Keeps the pictures that can be decoded by themselves; one of two fields, which come apart, is no picture.
    fileprivate func look(at packets: [ReadPacket]) {
        for packet in packets {
            guard case .units(let units) = packet.content else { continue }
            for unit in units where unit.isSync && unit.field == nil && unit.configuration.kind == .video {
                offer(KeyFrame(configuration: unit.configuration, payload: unit.payload), track: packet.info.trackIndex)
            }
        }
    }
}

extension ChannelInput.State {
    /// Makes a reader for each track that the channel can carry; while it stays open, those of tracks that are as they
    /// were continue.
    ///
    /// - Returns: The problems of tracks that cannot be read, by their indices.
    mutating func opened(
        _ text: TextTracks,
        _ configuration: ChannelEngine.Configuration,
        modulus: Int64?,
        pace: InputPace
    ) -> [(track: InputTrackIndex, problem: CodecError)] {
        let before = isConnected ? self.tracks : [:]
        self.tracks = [:]
        var problems: [(track: InputTrackIndex, problem: CodecError)] = []
        if !isConnected || self.text?.captions?.video != text.captions?.video { captions = nil }
        captions = captions ?? text.captions.map { CaptionTracks($0.channels.map(\.channel), modulus: modulus) }
        self.text = text
        for track in text.tracks where configuration.carriage.verdict(on: track).isCarried {
            if let old = before[track.index], old.description.isReadLike(track) {
                self.tracks[track.index] = old
                continue
            }
            do throws(CodecError) {
                let reader = try TrackReader(
                    track: track,
                    wantsSubsamples: configuration.needsSubsamples,
                    wantsTimecode: configuration.clock == .timecode
                )
                self.tracks[track.index] = reader.map { reader in
                    let unreadable = UnreadablePackets(mayJoin: track.kind == .video && pace == .live)
                    return ChannelInput.Track(description: track, reader: reader, unreadable: unreadable)
                }
            } catch {
                problems.append((track.index, error))
            }
        }
        isConnected = true
        return problems
    }

    /// Returns the content of a packet, empty if nothing uses it: a cue once for each format, and pictures with the
    /// captions that they complete.
    mutating func read(_ packet: PacketInfo, _ payload: RawSpan) -> [ReadPacket] {
        if let copies = text?.copies[packet.trackIndex] {
            return copies.compactMap { index in
                var packet = packet
                packet.trackIndex = index
                return content(of: packet, payload).map { ReadPacket(info: packet, content: $0) }
            }
        }
        guard let content = content(of: packet, payload) else { return [] }
        let cues = cues(in: content, packet)
        let read = ReadPacket(info: packet, content: content)
        return cues.isEmpty ? [read] : [read] + cues
    }

    private mutating func cues(in content: ReadPacket.Content, _ packet: PacketInfo) -> [ReadPacket] {
        guard let text, let (video, channels) = text.captions, packet.trackIndex == video,
            case .units(let units) = content
        else { return [] }
        let cues = captions?.received(units, packet) ?? []
        return cues.flatMap { channel, cue in
            let track = channels.first { $0.channel == channel }?.track
            return (track.flatMap { text.copies[$0] } ?? []).compactMap { index in
                let info = PacketInfo(
                    trackIndex: index,
                    presentationTimestamp: cue.start,
                    decodeTimestamp: cue.start,
                    duration: cue.duration ?? 0
                )
                let bytes = Array(cue.content.bytes.utf8)
                return self.content(of: info, bytes.span.bytes).map { ReadPacket(info: info, content: $0) }
            }
        }
    }

    /// Returns the content of a packet, without units while the feed is being joined; nil if nothing uses it, or if it
    /// is empty.
    private mutating func content(of packet: PacketInfo, _ payload: RawSpan) -> ReadPacket.Content? {
        guard let place = tracks.index(forKey: packet.trackIndex) else { return nil }
        do throws(CodecError) {
            let units = try tracks.values[place].reader.read(packet, payload)
            if !units.isEmpty { tracks.values[place].unreadable.read() }
            return units.isEmpty && !packet.isCorrupt ? nil : .units(units)
        } catch {
            let verdict = tracks.values[place].unreadable.verdict()
            // It shows that media comes.
            guard verdict != .joining else { return .units([]) }
            let unsupported: String? = if case .unsupported(let what) = error, verdict == .lasting { what } else { nil }
            let isSync = tracks.values[place].reader.isSync(unreadable: payload)
            return .unreadable(isSync: isSync, unsupported: unsupported)
        }
    }
}
