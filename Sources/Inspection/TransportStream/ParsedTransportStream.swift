package import NIOCore

/// A segment of a transport stream, read and judged.
///
/// The reader shares no code with the writer, so that it can judge it. Anything can be read: violations are noted,
/// and the rest continues.
package struct ParsedTransportStream: Sendable {
    /// The violations of the rules of segments, in order of place.
    package internal(set) var violations: [TransportStreamViolation] = []
    package internal(set) var map: ParsedProgramMap?
    /// The PES packets of each PID that the map announces; one without timestamps is part of the one before.
    package internal(set) var units: [UInt16: [ParsedPESPacket]] = [:]
    /// Clock references with the offset of their packets.
    var clocks: [Clock] = []
    /// The packets with payload of each PID.
    var packetCounts: [UInt16: Int] = [:]
    /// The ends of sections of PAT and PMT: offsets of packets.
    var associationOffsets: [Int] = []
    var mapOffsets: [Int] = []
    /// The state for the segment that follows.
    package internal(set) var state: TransportStreamState

    struct Clock: Hashable, Sendable {
        /// 33 bits, in ticks of 90 kHz.
        let time: Int64
        let offset: Int
    }

    /// Reads a segment.
    ///
    /// - Parameters:
    ///   - bytes: Whole packets.
    ///   - state: The state of the segment before; nil if nothing needs to continue.
    package init(_ bytes: ByteBuffer, after state: TransportStreamState? = nil) {
        var reader = TransportStreamReader(bytes.slice(), after: state ?? TransportStreamState())
        reader.read()
        self = reader.stream
        violations.sort { $0.offset < $1.offset }
    }

    init(state: TransportStreamState) {
        self.state = state
    }

    /// Returns the payloads of a stream, one after another.
    package func elementaryStream(_ pid: UInt16) -> ByteBuffer {
        var bytes = ByteBuffer()
        for unit in units[pid] ?? [] { bytes.writeImmutableBuffer(unit.payload) }
        return bytes
    }
}
