import MediaCore
import NIOCore

/// The header of a PES packet (ISO/IEC 13818-1 § 2.4.3.6).
package struct PESHeader: Hashable, Sendable {
    package var streamID: UInt8
    /// The times of the access unit that begins with the payload, in ticks of 90 kHz, modulo 2^33; nil if none begins.
    package var times: Times?
    var stuffingByteCount = 0

    package struct Times: Hashable, Sendable {
        package var presentation: Int64
        package var decode: Int64

        package init(presentation: Int64, decode: Int64) {
            self.presentation = presentation
            self.decode = decode
        }

        fileprivate var hasDecodeTime: Bool { decode != presentation }
    }

    package init(streamID: UInt8, times: Times?) {
        self.streamID = streamID
        self.times = times
    }

    private var timesByteCount: Int { times.map { $0.hasDecodeTime ? 10 : 5 } ?? 0 }
    var byteCount: Int { 9 + timesByteCount + stuffingByteCount }

    /// Writes it ahead of so many bytes of payload.
    func encode(payloadByteCount: Int, into span: inout OutputRawSpan) {
        let length = byteCount + payloadByteCount - 6
        span.writeUInt24(0x000001)
        span.writeInteger(streamID)
        // § 2.4.3.7: 0 is "until the next one starts", which only video may say.
        span.writeInteger(length <= 0xFFFF ? UInt16(length) : 0)
        // data_alignment_indicator: an access unit starts here.
        span.writeInteger((times == nil ? 0x80 : 0x84) as UInt8)
        span.writeInteger((times.map { $0.hasDecodeTime ? 0xC0 : 0x80 } ?? 0) as UInt8)
        span.writeInteger(UInt8(timesByteCount + stuffingByteCount))
        if let times {
            span.writeTimestamp(times.presentation, marker: times.hasDecodeTime ? 3 : 2)
            if times.hasDecodeTime { span.writeTimestamp(times.decode, marker: 1) }
        }
        span.append(repeating: 0xFF, count: stuffingByteCount, as: UInt8.self)
    }

    /// The header ahead of so many bytes of payload.
    package func bytes(payloadByteCount: Int) -> [UInt8] {
        let buffer = ByteBuffer(initialCapacity: byteCount) { encode(payloadByteCount: payloadByteCount, into: &$0) }
        return Array(buffer.readableBytesView)
    }
}

extension OutputRawSpan {
    /// 33 bits of a time in three pieces, each before a marker bit.
    fileprivate mutating func writeTimestamp(_ time: Int64, marker: UInt8) {
        writeInteger(marker << 4 | UInt8(truncatingIfNeeded: time >> 29) & 0x0E | 1)
        writeInteger(UInt16(truncatingIfNeeded: time >> 14) | 1)
        writeInteger(UInt16(truncatingIfNeeded: time << 1) | 1)
    }
}
