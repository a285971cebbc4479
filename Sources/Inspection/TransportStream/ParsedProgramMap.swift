/// The contents of a program map (ISO/IEC 13818-1 § 2.4.4.8).
package struct ParsedProgramMap: Hashable, Sendable {
    let programNumber: UInt16
    let version: UInt8
    /// The PID that carries the clock.
    let clockPID: UInt16
    let descriptors: [Descriptor]
    package let streams: [Stream]

    package struct Stream: Hashable, Sendable {
        package let type: UInt8
        package let pid: UInt16
        package let descriptors: [Descriptor]

        /// True for the codecs that HLS has pictures in, clear or encrypted.
        package var isVideo: Bool { [0x1B, 0x24, 0xDB].contains(type) }
    }

    package struct Descriptor: Hashable, Sendable {
        package let tag: UInt8
        package let body: [UInt8]
    }

    init(_ section: ParsedSection) throws(ParsedTransportPacket.Malformed) {
        guard section.tableID == 2 else { throw .init(rule: .malformedSection) }
        programNumber = section.idExtension
        version = section.version
        var body = section.body
        clockPID = try Self.takeInteger(&body) & 0x1FFF
        descriptors = try Self.takeDescriptors(&body)
        var streams: [Stream] = []
        while let type = body.popFirst() {
            let pid = try Self.takeInteger(&body) & 0x1FFF
            streams.append(Stream(type: type, pid: pid, descriptors: try Self.takeDescriptors(&body)))
        }
        self.streams = streams
    }

    /// Returns true if all but the version is the same.
    func describesSame(as other: Self) -> Bool {
        programNumber == other.programNumber && clockPID == other.clockPID && descriptors == other.descriptors
            && streams == other.streams
    }

    private static func takeInteger(_ bytes: inout ArraySlice<UInt8>) throws(ParsedTransportPacket.Malformed) -> UInt16
    {
        guard let high = bytes.popFirst(), let low = bytes.popFirst() else { throw .init(rule: .malformedSection) }
        return UInt16(high) << 8 | UInt16(low)
    }

    /// A length and as many bytes of descriptors.
    private static func takeDescriptors(
        _ bytes: inout ArraySlice<UInt8>
    ) throws(ParsedTransportPacket.Malformed) -> [Descriptor] {
        let length = Int(try takeInteger(&bytes) & 0x0FFF)
        guard length <= bytes.count else { throw .init(rule: .malformedSection) }
        var rest = bytes.prefix(length)
        bytes = bytes.dropFirst(length)
        var descriptors: [Descriptor] = []
        while let tag = rest.popFirst() {
            guard let count = rest.popFirst(), Int(count) <= rest.count else { throw .init(rule: .malformedSection) }
            descriptors.append(Descriptor(tag: tag, body: Array(rest.prefix(Int(count)))))
            rest = rest.dropFirst(Int(count))
        }
        return descriptors
    }
}

extension [ParsedProgramMap.Descriptor] {
    /// The body of the first descriptor with a tag.
    func body(_ tag: UInt8) -> [UInt8]? { first { $0.tag == tag }?.body }
}
