import Codecs
import MediaCore

/// Makes packets of whole audio frames of packets that cut them.
///
/// A PES packet may hold any number of frames, and those of Enhanced AC-3 may come in parts. An aligned packet is
/// passed on unchanged. A frame that is cut at its end waits for the rest, and becomes a packet of its own.
struct FrameAssembler {
    private let syntax: AudioFrameSyntax
    /// The beginning of a frame, at least a byte.
    private var head: AssembledPayload.Part?

    init(syntax: AudioFrameSyntax = .adts) {
        self.syntax = syntax
    }

    /// Takes a packet.
    ///
    /// - Parameters:
    ///   - info: Its timestamps are those of the first frame that begins in it (ISO/IEC 13818-1 § 2.4.3.7).
    ///   - payload: Frames, or parts of frames.
    /// - Returns: The frames that are now whole.
    mutating func packetRead(_ info: PacketInfo, payload: RawSpan) -> AssembledPayload {
        guard var head else { return framesRead(payload, info) }
        self.head = nil
        let carried = head.bytes.count
        head.bytes += payload.array
        if info.isCorrupt { head.info.isCorrupt = true }
        return unsafe framesRead(head.bytes.span.bytes, info, behind: head, carried: carried)
    }

    /// - Parameters:
    ///   - bytes: The packet's, behind those that the packets before left of a frame.
    ///   - info: The information of the packet.
    ///   - head: The part that came with the bytes that were left.
    ///   - carried: The number of these bytes.
    /// - Returns: The frames that are now whole.
    private mutating func framesRead(
        _ bytes: RawSpan,
        _ info: PacketInfo,
        behind head: AssembledPayload.Part? = nil,
        carried: Int = 0
    ) -> AssembledPayload {
        let isContinued = carried > 0 && continues(bytes, carried)
        var start = 0
        if !isContinued {
            // After a loss, or at the start of reading, skip the rest of a frame whose beginning is missing. In the
            // bytes left over, an incomplete frame has turned out to be none.
            if carried > 0 { start = 1 }
            while start < bytes.byteCount, !isFollowedFrame(bytes, start, isWhole: start < carried) { start += 1 }
        }
        // The first frame that begins in this packet.
        var own = start
        var end = start
        while let length = length(bytes.extracting(droppingFirst: end)), end + length <= bytes.byteCount {
            end += length
            if own < carried { own = end }
        }

        var result = AssembledPayload(whole: 0..<0)
        let joined = bytes.extracting(start..<own)
        if var part = head, !joined.isEmpty {
            part.bytes = joined.array
            if !isContinued {
                // The packet says when they end.
                (part.info, part.delay) = (info, -samples(of: joined, from: 0))
            }
            result.joined = part
        }
        if isContinued { result.delay = samples(of: joined, from: carried) }
        if end < bytes.byteCount, isFrame(bytes, end) {
            var part = AssembledPayload.Part(info: info, bytes: [], delay: result.delay)
            if let head, end == 0 {
                part = head
            } else if end != own || end < carried {
                (part.info.presentationTimestamp, part.info.decodeTimestamp) = (nil, nil)
            }
            part.bytes = bytes.extracting(droppingFirst: end).array
            self.head = part
        } else {
            // Unreadable bytes are passed on.
            end = bytes.byteCount
        }
        if own >= carried { result.whole = own - carried..<max(own, end) - carried }
        return result
    }

    /// Returns true if the frame that was begun continues in the packet, and ends in front of another one or of
    /// nothing.
    private func continues(_ bytes: RawSpan, _ carried: Int) -> Bool {
        guard let length = length(bytes) else { return false }
        if length > bytes.byteCount { return bytes.byteCount <= syntax.mostBytes }
        return length > carried && (isFrame(bytes, length) || !isFrame(bytes, carried))
    }

    /// Returns true if a frame begins at `offset` and another behind it: a syncword alone is found in frames too.
    private func isFollowedFrame(_ bytes: RawSpan, _ offset: Int, isWhole: Bool) -> Bool {
        guard let length = length(bytes.extracting(droppingFirst: offset)) else { return false }
        return isFrame(bytes, offset + length) && !(isWhole && offset + length > bytes.byteCount)
    }

    /// Returns true if a frame begins at `offset`, or may do so behind the end.
    private func isFrame(_ bytes: RawSpan, _ offset: Int) -> Bool {
        length(bytes.extracting(droppingFirst: offset)) != nil
    }

    /// Returns the length of the frame that begins here, even if some of its bytes are missing; nil if there is none.
    private func length(_ bytes: RawSpan) -> Int? {
        do throws(CodecError) {
            return try syntax.frameLength(in: bytes)
        } catch {
            return error == .truncated ? bytes.byteCount + 1 : nil
        }
    }

    /// PCM samples that begin at `start` or behind it, in whole frames.
    private func samples(of frames: RawSpan, from start: Int) -> Int64 {
        var (offset, samples) = (0, Int64(0))
        while let header = syntax.wholeHeader(frames.extracting(droppingFirst: offset)) {
            if offset >= start { samples += header.samples }
            offset += header.byteCount
        }
        return samples
    }
}
