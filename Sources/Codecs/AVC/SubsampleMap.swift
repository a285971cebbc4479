import MediaCore

/// Divides a sample into clear and protected bytes.
///
/// Clear runs add up until protected bytes follow; a run too long for an entry's 16 bits gets several entries (ISO/IEC
/// 23001-7 § 7.2).
struct SubsampleMap {
    private var entries: [Subsample] = []
    private var clearBytes = 0

    init() {}

    mutating func append(clear count: Int) {
        clearBytes += count
    }

    mutating func append(protected count: Int) {
        guard count > 0 else { return }
        appendEntry(protected: count)
    }

    /// The entries, which together cover all that was appended.
    consuming func finish() -> [Subsample] {
        if clearBytes > 0 { appendEntry(protected: 0) }
        return entries
    }

    private mutating func appendEntry(protected count: Int) {
        while clearBytes > Int(UInt16.max) {
            entries.append(Subsample(clearBytes: .max, protectedBytes: 0))
            clearBytes -= Int(UInt16.max)
        }
        entries.append(Subsample(clearBytes: UInt16(clearBytes), protectedBytes: UInt32(count)))
        clearBytes = 0
    }
}
