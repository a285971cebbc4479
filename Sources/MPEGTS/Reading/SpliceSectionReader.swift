package import MediaCore

/// Finds the SCTE-35 sections in the bytes of a transport stream, whatever its program maps say of them.
package struct SpliceSectionReader: Sendable {
    package struct Section: Hashable, Sendable {
        /// The bytes from table_id on; the checksum was not checked.
        package var bytes: [UInt8]
        /// The program whose map lists its PID; nil if none does.
        package var program: Int?
        /// The position of the packet that completes it, in bytes of the stream.
        package var position: Int64
    }

    private let numbers: Set<Int>
    private let isAutomatic: Bool
    /// The bytes of a packet that is not whole yet, and its position.
    private var rest: [UInt8] = []
    private var position: Int64 = 0
    /// The distance from one sync byte to the next: 192 and 204 with what others add to packets; nil before two were
    /// found.
    private var stride: Int?
    private var assemblers: [Int: SectionAssembler] = [0: SectionAssembler()]
    /// PIDs of program maps.
    private var maps: Set<Int> = []
    /// PIDs of streams of SCTE-35, by program.
    private var streams: [Int: Set<Int>] = [:]

    private static let length = 188
    private static let strides = [188, 192, 204]
    /// The most programs whose streams are known, more than any multiplex has.
    static let mostPrograms = 256
    /// The most sections that are found at once.
    static let mostSections = 4_096

    /// - Parameter pids: The PIDs to read; with an automatic one, all of stream type 0x86 as well.
    package init(_ pids: [SplicePID]) {
        numbers = Set(pids.compactMap { if case .number(let number) = $0 { number } else { nil } })
        isAutomatic = pids.contains(.automatic)
        for number in numbers { assemblers[number] = SectionAssembler() }
    }

    /// Continues at another position; tables stay known.
    package mutating func moved(to position: Int64) {
        (rest, stride, self.position) = ([], nil, position)
        for pid in assemblers.keys { assemblers[pid] = SectionAssembler() }
    }

    /// - Parameter bytes: The bytes behind those that were read before.
    /// - Returns: Sections that are whole with them, up to `mostSections`.
    package mutating func read(_ bytes: RawSpan) -> [Section] {
        rest += bytes.withUnsafeBytes { Array($0) }
        var found: [Section] = []
        var offset = 0
        while let packet = nextPacket(at: &offset) {
            let pid = Int(packet[packet.startIndex + 1] & 0x1F) << 8 | Int(packet[packet.startIndex + 2])
            guard let sections = assemblers[pid]?.sections(with: packet) else { continue }
            for section in sections { take(section, pid, at: position + Int64(packet.startIndex), &found) }
        }
        rest.removeFirst(offset)
        position += Int64(offset)
        return found
    }

    /// Returns the next whole packet, and searches for a sync byte if there is none where one should be.
    private func packet(at offset: Int) -> ArraySlice<UInt8>? {
        offset + Self.length <= rest.count && rest[offset] == 0x47 ? rest[offset..<offset + Self.length] : nil
    }

    private mutating func nextPacket(at offset: inout Int) -> ArraySlice<UInt8>? {
        while true {
            if let stride {
                guard offset + Self.length <= rest.count else { return nil }
                if let packet = packet(at: offset) {
                    // The bytes after a packet may come later.
                    guard offset + stride <= rest.count || stride == Self.length else { return nil }
                    offset += stride
                    return packet
                }
                self.stride = nil
            }
            guard offset + (Self.strides.last ?? 0) < rest.count else { return nil }
            if rest[offset] == 0x47 { stride = Self.strides.first { rest[offset + $0] == 0x47 } }
            if stride == nil { offset += 1 }
        }
    }

    private mutating func take(_ section: [UInt8], _ pid: Int, at position: Int64, _ found: inout [Section]) {
        switch section[0] {
        case 0x00 where pid == 0: takeAssociation(section)
        case 0x02 where maps.contains(pid): takeMap(section)
        case 0xFC where found.count < Self.mostSections:
            let programs = streams.filter { $0.value.contains(pid) }.keys.sorted()
            guard numbers.contains(pid) || isAutomatic && !programs.isEmpty else { return }
            for program in programs.isEmpty ? [nil] : programs.map(Optional.init) {
                found.append(Section(bytes: section, program: program, position: position))
            }
        default: break
        }
    }

    private static func isWhole(_ section: [UInt8]) -> Bool {
        section.count >= 12 && section[5] & 1 == 1 && SectionChecksum.value(section) == 0
    }

    /// Program association section (§ 2.4.4.3).
    private mutating func takeAssociation(_ section: [UInt8]) {
        guard Self.isWhole(section) else { return }
        for entry in Swift.stride(from: 8, to: section.count - 7, by: 4) {
            let program = Int(section[entry]) << 8 | Int(section[entry + 1])
            let pid = Int(section[entry + 2] & 0x1F) << 8 | Int(section[entry + 3])
            guard program != 0, maps.insert(pid).inserted else { continue }
            assemblers[pid] = SectionAssembler()
        }
    }

    /// Program map section (§ 2.4.4.8).
    private mutating func takeMap(_ section: [UInt8]) {
        guard Self.isWhole(section) else { return }
        let program = Int(section[3]) << 8 | Int(section[4])
        var entry = 12 + (Int(section[10] & 0x0F) << 8 | Int(section[11]))
        var pids: Set<Int> = []
        while entry + 5 <= section.count - 4 {
            let pid = Int(section[entry + 1] & 0x1F) << 8 | Int(section[entry + 2])
            if section[entry] == 0x86 || numbers.contains(pid) { pids.insert(pid) }
            entry += 5 + (Int(section[entry + 3] & 0x0F) << 8 | Int(section[entry + 4]))
        }
        if pids.isEmpty {
            streams[program] = nil
            return
        }
        // The maps of the present programs are repeated soon.
        if streams[program] == nil, streams.count >= Self.mostPrograms { streams = [:] }
        streams[program] = pids
        for pid in pids where isAutomatic && assemblers[pid] == nil { assemblers[pid] = SectionAssembler() }
    }
}
