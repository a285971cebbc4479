import MediaCore

/// One stream of teletext: prepares its packets for the decoders of its pages, and watches their results.
struct TeletextStream {
    private var rows = TeletextRowKeeper()
    private var watch = TeletextWatch()

    /// - Parameter pages: Numbers of those that are read.
    init(pages: [Int]) { watch = TeletextWatch(pages: pages) }

    /// The stream is open again, or with other pages.
    mutating func declare(_ pages: [Int]) {
        rows = TeletextRowKeeper()
        watch.declare(pages)
    }

    /// Decodes a packet, and returns news of its pages for the operator.
    ///
    /// - Parameters:
    ///   - payload: The payload of the PES packet.
    ///   - time: The time in 90 kHz ticks; nil if unknown.
    ///   - modulus: Ticks of 90 kHz after which timestamps wrap; nil if never.
    ///   - decode: Has the decoders read its bytes; returns the pages of which they have shown text.
    /// - Returns: News of its pages.
    mutating func read(
        _ payload: [UInt8],
        at time: Int64?,
        modulus: Int64?,
        _ decode: ([UInt8]) -> Set<Int>
    ) -> [TeletextWatch.News] {
        var packet = TeletextPacket(payload)
        let lines = packet.lines
        rows.change(&packet)
        let read = decode(packet.bytes)
        guard let time else { return [] }
        return watch.received(lines, read: read, at: time, modulus: modulus)
    }
}

extension TextStream {
    /// Numbers of the pages that are read; nil if it is no teletext.
    var pages: [Int]? {
        guard format == .teletext else { return nil }
        return tracks.compactMap { if case .teletext(let page)? = $0.service { page } else { nil } }
    }
}
