import NIOCore
import TestSupport

@testable import Inspection
@testable import MPEGTS

extension Sequence<UInt8> {
    /// Two digits a byte.
    var hex: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}

extension ByteBuffer {
    var hex: String { readableBytesView.hex }
}

/// Digits without spaces and line breaks.
func digits(_ text: String) -> String { text.filter { !$0.isWhitespace } }

enum Fixture {
    static let aacSetup = AudioSetupInformation(.aacLC, setupData: [0x11, 0x90])

    /// Equal bytes, which tell access units apart by number.
    static func unit(
        _ decodeTime: Int64,
        offset: Int64 = 0,
        duration: Int64 = 3600,
        isRandomAccess: Bool = false,
        byteCount: Int = 100,
        fill: UInt8 = 0xAA
    ) -> TransportAccessUnit {
        TransportAccessUnit(
            decodeTime: decodeTime,
            presentationTime: decodeTime + offset,
            duration: duration,
            isRandomAccess: isRandomAccess,
            pieces: [ByteBuffer(repeating: fill, count: byteCount)]
        )
    }

    /// Pictures at 25 Hz, the first a sync sample.
    static func pictures(_ count: Int, from start: Int64 = 900_000, byteCount: Int = 1000) -> [TransportAccessUnit] {
        (0..<count).map { (index: Int) -> TransportAccessUnit in
            unit(
                start + Int64(index) * 3600,
                offset: 7200,
                isRandomAccess: index == 0,
                byteCount: index == 0 ? 10 * byteCount : byteCount,
                fill: UInt8(truncatingIfNeeded: index)
            )
        }
    }

    /// AAC frames at 48 kHz.
    static func frames(_ count: Int, from start: Int64 = 907_200, byteCount: Int = 300) -> [TransportAccessUnit] {
        (0..<count).map { index in
            unit(
                start + Int64(index) * 1920,
                duration: 1920,
                isRandomAccess: true,
                byteCount: byteCount,
                fill: UInt8(truncatingIfNeeded: index)
            )
        }
    }

    static func program(_ kinds: ElementaryStream.Kind...) throws -> TransportProgram {
        try TransportProgram(kinds.map { ElementaryStream($0) })
    }
}

extension TransportStreamSegment {
    /// Reads what it writes, on its own.
    var parsed: ParsedTransportStream { ParsedTransportStream(encode().bytes) }
}

/// A packet as a test looks at it.
struct SeenPacket {
    var pid: UInt16
    var isUnitStart: Bool
    var counter: UInt8
    var payload: ArraySlice<UInt8>
    var adaptationField: ArraySlice<UInt8>

    static func packets(_ bytes: ByteBuffer) -> [SeenPacket] {
        let all = Array(bytes.readableBytesView)
        return stride(from: 0, to: all.count, by: 188).map { start in
            let packet = all[start..<(start + 188)]
            let hasField = packet[start + 3] & 0x20 != 0
            let fieldEnd = start + 4 + (hasField ? 1 + Int(packet[start + 4]) : 0)
            return SeenPacket(
                pid: UInt16(packet[start + 1] & 0x1F) << 8 | UInt16(packet[start + 2]),
                isUnitStart: packet[start + 1] & 0x40 != 0,
                counter: packet[start + 3] & 15,
                payload: packet[start + 3] & 0x10 != 0 ? packet[fieldEnd...] : [],
                adaptationField: packet[(start + 4)..<fieldEnd]
            )
        }
    }
}
