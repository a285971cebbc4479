/// Joins the sections in the packets of one PID (ISO/IEC 13818-1 § 2.4.4).
struct SectionAssembler: Sendable {
    private var bytes: [UInt8] = []
    private var isOpen = false
    private var counter: UInt8?

    /// - Parameter packet: 188 bytes, from the sync byte on.
    /// - Returns: Sections that are whole with it, from table_id on; their checksums were not checked.
    mutating func sections(with packet: ArraySlice<UInt8>) -> [[UInt8]] {
        let start = packet.startIndex
        let (flags, control) = (packet[start + 1], packet[start + 3])
        // Damaged and scrambled packets are not read.
        guard flags & 0x80 == 0, control & 0xC0 == 0 else {
            isOpen = false
            return []
        }
        let hasAdaptation = control & 0x20 != 0
        var payload = packet.dropFirst(hasAdaptation ? 5 + Int(packet[start + 4]) : 4)
        guard control & 0x10 != 0, !payload.isEmpty else { return [] }
        let number = control & 0x0F
        defer { counter = number }
        // § 2.4.3.3: a packet may be sent twice.
        if number == counter { return [] }
        if let counter, (counter + 1) & 0x0F != number { isOpen = false }
        guard flags & 0x40 != 0 else {
            if isOpen { bytes += payload }
            return isOpen ? takeWhole() : []
        }
        let pointer = Int(payload.removeFirst())
        var found: [[UInt8]] = []
        if isOpen {
            bytes += payload.prefix(pointer)
            found = takeWhole()
        }
        (bytes, isOpen) = (Array(payload.dropFirst(pointer)), true)
        return found + takeWhole()
    }

    private mutating func takeWhole() -> [[UInt8]] {
        var found: [[UInt8]] = []
        var rest = bytes[...]
        // Stuffing follows the last one.
        while rest.count >= 3, let table = rest.first, table != 0xFF {
            let length = 3 + Int(rest[rest.startIndex + 1] & 0x0F) << 8 + Int(rest[rest.startIndex + 2])
            guard length <= rest.count else { break }
            found.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        if rest.first == 0xFF { isOpen = false }
        bytes = isOpen ? Array(rest) : []
        return found
    }
}
