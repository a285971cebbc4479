import Codecs
import MediaCore

/// Makes packets of whole audio frames of PES packets that cut them.
///
/// A PES packet may hold any number of frames. Where it is aligned it is passed on as it is. A frame that is cut at
/// its end waits for the rest, and becomes a packet of its own.
struct FrameAssembler {
    private let syntax: AudioFrameSyntax
    /// The beginning of a frame, at least a byte, and the timestamps of its packet if it is the first frame to begin there.
    private var head: (info: PacketInfo, bytes: [UInt8])?

    init(syntax: AudioFrameSyntax = .adts) {
        self.syntax = syntax
    }

    /// A PES packet came.
    ///
    /// - Parameters:
    ///   - info: Its timestamps are those of the first frame that begins in it (ISO/IEC 13818-1 § 2.4.3.7).
    ///   - payload: Frames, or parts of them.
    /// - Returns: What is whole by now.
    mutating func packetRead(_ info: PacketInfo, payload: RawSpan) -> AssembledPayload {
        var result = AssembledPayload(whole: 0..<0)
        var start = 0
        if var head {
            let count = head.bytes.count
            head.bytes += payload.extracting(first: syntax.mostBytes).array
            if info.isCorrupt { head.info.isCorrupt = true }
            let length = unsafe length(head.bytes.span.bytes)
            if head.bytes.count < length ?? 0 {
                self.head = head
                return result
            }
            self.head = nil
            if let length, length > count, isFrame(payload, length - count) || !isFrame(payload, 0) {
                start = length - count
                result.joined = (head.info, Array(head.bytes.prefix(length)))
            }
        }
        // After a loss, or where reading begins, the rest of a frame whose beginning did not come.
        while start < payload.byteCount, !isFollowedFrame(payload, start) { start += 1 }
        var end = start
        while let length = length(payload.extracting(droppingFirst: end)), end + length <= payload.byteCount {
            end += length
        }
        if end < payload.byteCount, isFrame(payload, end) {
            var info = info
            if end > start { (info.presentationTimestamp, info.decodeTimestamp) = (nil, nil) }
            head = (info, payload.extracting(droppingFirst: end).array)
        } else {
            // What cannot be read is not ours to hide.
            end = payload.byteCount
        }
        result.whole = start..<end
        return result
    }

    /// Whether a frame begins at `offset` and another behind it: a syncword alone is found in frames too.
    private func isFollowedFrame(_ payload: RawSpan, _ offset: Int) -> Bool {
        guard let length = length(payload.extracting(droppingFirst: offset)) else { return false }
        return isFrame(payload, offset + length)
    }

    /// Whether a frame begins at `offset`, or may do so behind the end.
    private func isFrame(_ payload: RawSpan, _ offset: Int) -> Bool {
        length(payload.extracting(droppingFirst: offset)) != nil
    }

    /// Bytes of the frame that begins here, more than there are where its header is cut; nil if there is none.
    private func length(_ bytes: RawSpan) -> Int? {
        do throws(CodecError) {
            return try syntax.header(bytes).byteCount
        } catch {
            return error == .truncated ? bytes.byteCount + 1 : nil
        }
    }
}
