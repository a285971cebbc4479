/// Puts sections together from the payloads of a PID (ISO/IEC 13818-1 § 2.4.4.1).
struct SectionCollector {
    /// The bytes of the section that has started.
    private var bytes: [UInt8] = []
    private var hasStarted = false

    /// Takes the next payload.
    ///
    /// - Returns: The sections that end in it, each of the stated length.
    mutating func collect(_ payload: [UInt8], isUnitStart: Bool) -> [[UInt8]] {
        var sections: [[UInt8]] = []
        guard isUnitStart else {
            if hasStarted { bytes += payload }
            take(&sections)
            return sections
        }
        // pointer_field: bytes of the section before that come first.
        let pointer = Int(payload.first ?? 0)
        if hasStarted { bytes += payload.dropFirst().prefix(pointer) }
        take(&sections)
        bytes = Array(payload.dropFirst(1 + pointer))
        hasStarted = true
        take(&sections)
        return sections
    }

    private mutating func take(_ sections: inout [[UInt8]]) {
        while hasStarted, bytes.count >= 3 {
            // Stuffing bytes look like a table that is forbidden.
            guard bytes[0] != 0xFF else { break }
            let length = 3 + (Int(bytes[1] & 0x0F) << 8 | Int(bytes[2]))
            guard bytes.count >= length else { return }
            sections.append(Array(bytes.prefix(length)))
            bytes.removeFirst(length)
        }
        if bytes.first == 0xFF || bytes.isEmpty { hasStarted = false }
    }
}
