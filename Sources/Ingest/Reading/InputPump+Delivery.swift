import Codecs
import MPEGTS
import MediaCore
import TimedText

/// The way from packets to the consumer.
extension InputPump {
    /// Returns true if the packet is of a selected track.
    mutating func deliver(_ packet: borrowing Packet) -> Bool {
        let index = packet.streamIndex
        guard streams.indices.contains(index), let unit = streams[index]?.unit else { return false }
        if encrypted.contains(index) { return false }
        let info = packetInfo(packet, unit)
        if let program = metadata[index] {
            packet.withPayload { deliverMetadata(info, program: program, $0) }
            return true
        }
        if let program = splices[index] {
            // Its timestamp is the newest of the program's clock; when the splice is, the section says.
            packet.withPayload { delivery.spliceRead($0, program: program, shift: timeline.offset) }
            return true
        }
        deliverWaitingText()
        if let readers = text[index] {
            deliverText(packet, info, of: index, readers)
            return true
        }
        newest = info.presentationTimestamp ?? info.decodeTimestamp ?? newest
        packet.withPayload { deliverMedia($0, info, of: index) }
        return true
    }

    private mutating func packetInfo(_ packet: borrowing Packet, _ unit: TimestampUnit) -> PacketInfo {
        let index = packet.streamIndex
        var info = PacketInfo(
            trackIndex: InputTrackIndex(index),
            presentationTimestamp: ticks(packet.presentationTimestamp, unit),
            decodeTimestamp: ticks(packet.decodeTimestamp, unit),
            duration: max(0, unit.ticks(packet.duration) ?? 0),
            isCorrupt: packet.isCorrupt,
            isHidden: packet.isHidden,
            producerReferenceTime: packet.producerReferenceTime.flatMap(TimestampUnit.utc(microseconds:))
        )
        info.age = age
        if let stream = streams[index], stream.isParsed {
            streams[index]?.nextReferenceTime = info.producerReferenceTime
            info.producerReferenceTime = stream.nextReferenceTime
        }
        return info
    }

    /// Delivers cues that readers have found beside this thread.
    private mutating func deliverWaitingText() {
        for readers in text.values where readers.contains(where: \.isWaiting) {
            for reader in readers {
                deliver(reader.takeCues(), of: reader.track)
                if let obstacle = reader.takeObstacle() { delivery.notice(.textNotRead(.bitmaps, obstacle)) }
            }
        }
    }

    private mutating func deliverText(
        _ packet: borrowing Packet,
        _ info: PacketInfo,
        of index: Int,
        _ readers: [TextTrackReader]
    ) {
        var info = info
        let isTeletext = teletext[index] != nil
        if isTeletext { mendTextTime(&info) }
        info.shift(by: timeline.offset, modulus: modulus)
        if isTeletext {
            packet.withPayload { deliverTeletext($0, info, of: index, readers) }
            return
        }
        let settings = packet.cueSettings
        packet.withPayload { payload in
            for reader in readers {
                let cues = reader.read(payload, info, shift: timeline.offset, settings: settings)
                deliver(cues, of: reader.track)
            }
        }
    }

    /// Delivers pictures and audio, assembled if packets only have parts.
    private mutating func deliverMedia(_ payload: RawSpan, _ info: PacketInfo, of index: Int) {
        if let pictures = streams[index]?.hidden?.packetRead(info, payload: payload) {
            for picture in pictures { deliver(picture.info, unsafe picture.bytes.span.bytes) }
            return
        }
        // Hidden audio is left out; the first frame that is lacks no more than its overlap with it.
        if info.isHidden { return }
        guard let assembled = streams[index]?.packetRead(info, payload: payload) else { return }
        if let joined = assembled.joined {
            deliver(joined.info, unsafe joined.bytes.span.bytes, delay: joined.delay)
        }
        if !assembled.whole.isEmpty {
            deliver(info, payload.extracting(assembled.whole), delay: assembled.delay)
        }
    }

    /// Delivers those of the programs that are read.
    mutating func deliver(_ sections: [SpliceSectionReader.Section]) {
        for section in sections where section.program.map(programs.read.contains) ?? true {
            delivery.spliceRead(unsafe section.bytes.span.bytes, program: section.program, shift: timeline.offset)
        }
    }

    /// Delivers data that waits for a packet which will not come.
    mutating func deliverHeld() {
        for index in streams.indices {
            for picture in streams[index]?.hidden?.finish() ?? [] {
                deliver(picture.info, unsafe picture.bytes.span.bytes)
            }
            guard let held = streams[index]?.finish() else { continue }
            deliver(held.info, unsafe held.bytes.span.bytes)
        }
    }

    private mutating func deliver(_ info: PacketInfo, _ payload: RawSpan, delay: Int64 = 0) {
        // Opus in a transport stream: each packet to itself, without its control header.
        guard streams[info.trackIndex.value]?.hasControlHeaders == true else {
            return deliverFrames(info, payload, prefix: 0, delay: delay)
        }
        var (info, rest) = (info, payload)
        while let frame = AudioFrameSyntax.opus.wholeHeader(rest), frame.byteCount <= rest.byteCount {
            deliverFrames(
                info,
                rest.extracting(first: frame.byteCount),
                prefix: frame.prefixByteCount,
                delay: delay
            )
            rest = rest.extracting(droppingFirst: frame.byteCount)
            (info.presentationTimestamp, info.decodeTimestamp) = (nil, nil)
        }
    }

    private mutating func deliverFrames(_ info: PacketInfo, _ payload: RawSpan, prefix: Int, delay: Int64) {
        var info = info
        streams[info.trackIndex.value]?.clock?.packetRead(&info, payload: payload, delay: delay, modulus: modulus)
        streams[info.trackIndex.value]?.coarseClock?.packetRead(&info, payload: payload, modulus: modulus)
        if isLooping { timeline.packetRead(&info) }
        if isPaced { hold(info) }
        delivery.packetRead(info, payload: payload.extracting(droppingFirst: prefix))
    }

    /// FFmpeg 5.1 takes the first five bytes of a tag for the header of a metadata access unit cell, which ID3 has none
    /// of, and drops them: `ID3` and the version, which is 4.0 here as everywhere in HLS.
    private mutating func deliverMetadata(_ info: PacketInfo, program: Int, _ payload: RawSpan) {
        let head: [UInt8] = [0x49, 0x44, 0x33, 0x04, 0x00]
        var tag = unsafe payload.withUnsafeBytes { unsafe Array($0) }
        if !tag.starts(with: head.prefix(3)) { tag = head + tag }
        var info = info
        if isLooping { timeline.packetRead(&info) }
        delivery.metadataRead(info, program: program, unsafe tag.span.bytes)
    }

    /// Corrects the time of a teletext packet that has none (ETSI EN 300 472 § 4.2), or one of another clock than the
    /// program's, as some inserters write it.
    ///
    /// Its text is shown with the packets around it.
    private func mendTextTime(_ info: inout PacketInfo) {
        guard let newest else { return }
        let time = info.presentationTimestamp ?? info.decodeTimestamp
        let distance = time.map { abs(Timestamps.distance(from: newest, to: $0, modulus: modulus)) }
        guard distance.map({ $0 > Self.furthestText }) ?? true else { return }
        (info.presentationTimestamp, info.decodeTimestamp) = (newest, newest)
    }

    /// 90 kHz ticks.
    private static let furthestText = 10 * MediaTime.timescale

    /// A cue is a packet of its track.
    ///
    /// Its duration is 0 while its end is unknown.
    mutating func deliver(_ cues: [FeedCue], of track: InputTrack) {
        for cue in cues {
            let start = Timestamps.reduce(cue.start, modulus: modulus)
            let info = PacketInfo(
                trackIndex: track.index,
                presentationTimestamp: start,
                decodeTimestamp: start,
                duration: cue.duration ?? 0
            )
            let bytes = Array(cue.content.bytes.utf8)
            delivery.packetRead(info, payload: unsafe bytes.span.bytes)
        }
    }

    private func ticks(_ timestamp: Int64?, _ unit: TimestampUnit) -> Int64? {
        guard let timestamp, let ticks = unit.ticks(timestamp) else { return nil }
        return Timestamps.reduce(ticks, modulus: modulus)
    }

    /// Waits until the packet is due.
    private mutating func hold(_ packet: PacketInfo) {
        guard let timestamp = packet.decodeTimestamp else { return }
        let now = ContinuousClock.now - clockStart
        _ = signal.wait(for: pacer.packetRead(track: packet.trackIndex.value, decodeTimestamp: timestamp, now: now))
    }
}

extension PacketInfo {
    /// Shifts timestamps, as in later rounds of a loop.
    fileprivate mutating func shift(by offset: Int64, modulus: Int64?) {
        presentationTimestamp = presentationTimestamp.map { Timestamps.reduce($0 &+ offset, modulus: modulus) }
        decodeTimestamp = decodeTimestamp.map { Timestamps.reduce($0 &+ offset, modulus: modulus) }
    }
}
