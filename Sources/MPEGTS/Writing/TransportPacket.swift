import MediaCore
import NIOCore

/// The bytes that every packet of a transport stream has (ISO/IEC 13818-1 § 2.4.3).
package enum TransportPacket {
    package static let byteCount = 188
    package static let maximumPayload = 184
    /// adaptation_field_length and flags.
    package static let flagsByteCount = 2
    /// Flags and a clock reference.
    static let clockByteCount = 8
    /// The values of a continuity counter, which has four bits.
    ///
    /// A segment with a multiple of so many packets on each PID ends with the value that it started with.
    static let counterModulus = 16

    /// A packet with payload, which stuffing in its adaptation field fills up (ISO/IEC 13818-1 § 2.4.3.5).
    ///
    /// - Parameters:
    ///   - pid: 13 bits.
    ///   - isUnitStart: True if a section or PES packet starts in it.
    ///   - isRandomAccess: True if decoding may start with that.
    ///   - counter: Its low four bits count.
    ///   - payload: At most 184 bytes, less two for a random access indicator.
    /// - Returns: 188 bytes.
    package static func bytes(
        pid: UInt16,
        isUnitStart: Bool,
        isRandomAccess: Bool = false,
        counter: UInt8,
        payload: some Collection<UInt8>
    ) -> [UInt8] {
        let fieldByteCount = maximumPayload - payload.count
        let head = ByteBuffer(initialCapacity: byteCount) { span in
            span.writePacketHeader(
                pid: pid,
                isUnitStart: isUnitStart,
                hasAdaptationField: fieldByteCount > 0,
                counter: counter
            )
            if fieldByteCount > 0 {
                span.writeAdaptationField(byteCount: fieldByteCount, isRandomAccess: isRandomAccess)
            }
        }
        return Array(head.readableBytesView) + payload
    }

    /// Makes a packet with nothing but a clock reference.
    ///
    /// - Parameters:
    ///   - clock: The clock in ticks of 90 kHz, modulo 2^33.
    ///   - pid: The program map's PCR_PID.
    ///   - counter: The counter of the packet before on the PID (ISO/IEC 13818-1 § 2.4.3.3), modulo 16.
    /// - Returns: 188 bytes.
    package static func clockReference(_ clock: Int64, pid: UInt16, counter: UInt8) -> [UInt8] {
        let packet = ByteBuffer(initialCapacity: byteCount) {
            $0.writeClockReference(clock, pid: pid, counter: counter)
        }
        return Array(packet.readableBytesView)
    }
}

extension OutputRawSpan {
    /// Four bytes.
    ///
    /// - Parameters:
    ///   - pid: 13 bits.
    ///   - isUnitStart: True if a section or PES packet starts in it.
    ///   - hasAdaptationField: True if one follows.
    ///   - hasPayload: True if some follows that.
    ///   - counter: Its low four bits count.
    @inline(__always)
    mutating func writePacketHeader(
        pid: UInt16,
        isUnitStart: Bool,
        hasAdaptationField: Bool,
        hasPayload: Bool = true,
        counter: UInt8
    ) {
        writeInteger(
            0x4700_0000 | (isUnitStart ? 0x40_0000 : 0) | UInt32(pid) << 8
                | (hasAdaptationField ? 0x20 : 0) | (hasPayload ? 0x10 : 0) | UInt32(counter & 0x0F)
        )
    }

    /// Writes an adaptation field, filled up with stuffing (ISO/IEC 13818-1 § 2.4.3.4).
    ///
    /// - Parameters:
    ///   - byteCount: The bytes of the field with its length: at least 1, 2 with an indicator, 8 with a clock.
    ///   - isRandomAccess: True if decoding may start with the unit that starts in the packet.
    ///   - clock: The program clock reference in ticks of 90 kHz, modulo 2^33.
    mutating func writeAdaptationField(byteCount: Int, isRandomAccess: Bool = false, clock: Int64? = nil) {
        writeInteger(UInt8(byteCount - 1))
        guard byteCount > 1 else { return }
        writeInteger((isRandomAccess ? 0x40 : 0) as UInt8 | (clock == nil ? 0 : 0x10))
        var stuffing = byteCount - TransportPacket.flagsByteCount
        if let clock {
            // The base, six reserved bits, and an extension of 0.
            let field = UInt64(bitPattern: clock) << 15 | 0x7E00
            writeInteger(UInt16(truncatingIfNeeded: field >> 32))
            writeInteger(UInt32(truncatingIfNeeded: field))
            stuffing = byteCount - TransportPacket.clockByteCount
        }
        append(repeating: 0xFF, count: stuffing, as: UInt8.self)
    }

    /// A packet with nothing but a clock reference; a packet without payload has the counter of the one before.
    mutating func writeClockReference(_ clock: Int64, pid: UInt16, counter: UInt8) {
        writePacketHeader(
            pid: pid,
            isUnitStart: false,
            hasAdaptationField: true,
            hasPayload: false,
            counter: counter
        )
        writeAdaptationField(byteCount: TransportPacket.maximumPayload, clock: clock)
    }

    /// Copies them at once.
    @inline(__always)
    mutating func write(_ bytes: borrowing RawSpan) {
        bytes.withUnsafeBytes { source in
            withUnsafeMutableBytes { destination, initializedCount in
                UnsafeMutableRawBufferPointer(rebasing: destination[initializedCount...]).copyMemory(from: source)
                initializedCount += source.count
            }
        }
    }
}
