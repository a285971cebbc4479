import MediaCore

/// Makes packets of whole audio frames of PES packets that cut them.
///
/// A PES packet may hold any number of frames. Where it is aligned it is passed on as it is. A frame that is cut at
/// its end waits for the rest, and becomes a packet of its own.
struct FrameAssembler {
    private let syntax: FrameSyntax
    /// The beginning of a frame, at least a byte, and the timestamps of its packet if it is the first frame to begin there.
    private var head: (info: PacketInfo, bytes: [UInt8])?

    init(syntax: FrameSyntax = .adts) {
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
            let reading = unsafe syntax.read(head.bytes.span.bytes)
            if reading == .incomplete || head.bytes.count < reading.byteCount ?? 0 {
                self.head = head
                return result
            }
            self.head = nil
            if let length = reading.byteCount, length > count, isFrame(payload, length - count) || !isFrame(payload, 0)
            {
                start = length - count
                result.joined = (head.info, Array(head.bytes.prefix(length)))
            }
        }
        // After a loss, or where reading begins, the rest of a frame whose beginning did not come.
        while start < payload.byteCount, !isFollowedFrame(payload, start) { start += 1 }
        var end = start
        while let length = syntax.header(payload.extracting(droppingFirst: end))?.byteCount,
            end + length <= payload.byteCount
        {
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
        guard isFrame(payload, offset) else { return false }
        let length = syntax.header(payload.extracting(droppingFirst: offset))?.byteCount ?? 0
        return isFrame(payload, offset + length)
    }

    /// Whether a frame begins at `offset`, or may do so behind the end.
    private func isFrame(_ payload: RawSpan, _ offset: Int) -> Bool {
        syntax.read(payload.extracting(droppingFirst: offset)) != .none
    }
}

extension FrameSyntax.Reading {
    fileprivate var byteCount: Int? { if case .frame(let header) = self { header.byteCount } else { nil } }
}
