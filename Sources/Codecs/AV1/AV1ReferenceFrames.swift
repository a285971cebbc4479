/// The state of the eight reference frame slots (AV1 § 7.20) that frame headers depend on.
struct AV1ReferenceFrames: Hashable, Sendable {
    static let count = 8
    /// REFS_PER_FRAME: how many a frame refers to.
    static let perFrame = 7

    /// The values that a frame header leaves behind.
    struct Frame: Hashable, Sendable {
        var isValid = false
        var type = AV1FrameHeader.FrameType.inter
        var orderHint = 0
        /// UpscaledWidth and FrameHeight.
        var upscaledWidth = 0
        var height = 0
        var segmentation = AV1Segmentation()
    }

    private var frames = [Frame](repeating: Frame(), count: count)

    /// The frame in a slot.
    ///
    /// - Parameter slot: 0 to 7.
    subscript(slot: Int) -> Frame {
        get { frames[slot] }
        set { frames[slot] = newValue }
    }

    /// The reference frame update process (§ 7.20).
    ///
    /// - Parameters:
    ///   - frame: The frame that has been decoded.
    ///   - flags: refresh_frame_flags: its slots.
    mutating func update(with frame: Frame, flags: UInt32) {
        for slot in frames.indices where flags >> UInt32(slot) & 1 == 1 { frames[slot] = frame }
    }

    /// The set frame refs process (§ 7.8): the slots of all seven references by those of two.
    ///
    /// - Parameters:
    ///   - last: last_frame_idx.
    ///   - golden: gold_frame_idx.
    ///   - orderHint: That of the frame that refers to them.
    ///   - sequence: The sequence header that stands.
    /// - Returns: ref_frame_idx.
    func slots(last: Int, golden: Int, orderHint: Int, in sequence: AV1SequenceHeader) -> [Int] {
        let distances = frames.map { sequence.distance($0.orderHint, orderHint) }
        var unused = Set(frames.indices).subtracting([last, golden])
        /// Among equals, the one of the highest slot or of the lowest one.
        func take(where isEligible: (Int) -> Bool, latest: Bool) -> Int? {
            let eligible = unused.filter { isEligible(distances[$0]) }
            let found =
                latest
                ? eligible.max { (distances[$0], $0) < (distances[$1], $1) }
                : eligible.min { (distances[$0], $0) < (distances[$1], $1) }
            if let found { unused.remove(found) }
            return found
        }
        // In the order LAST, LAST2, LAST3, GOLDEN, BWDREF, ALTREF2, ALTREF.
        var slots: [Int?] = [last, nil, nil, golden, nil, nil, nil]
        slots[6] = take(where: { $0 >= 0 }, latest: true)
        slots[4] = take(where: { $0 >= 0 }, latest: false)
        slots[5] = take(where: { $0 >= 0 }, latest: false)
        for index in [1, 2, 4, 5, 6] where slots[index] == nil {
            slots[index] = take(where: { $0 < 0 }, latest: true)
        }
        // The rest gets the earliest frame of all, used or not.
        let earliest = frames.indices.min { (distances[$0], $0) < (distances[$1], $1) } ?? 0
        return slots.map { $0 ?? earliest }
    }

    /// Returns true if the header has skip_mode_present (§ 5.9.22).
    ///
    /// - Parameters:
    ///   - slots: ref_frame_idx.
    ///   - orderHint: The order hint of the frame.
    ///   - sequence: The sequence header that stands.
    /// - Returns: True if the references are on both sides of the frame, or at two times ahead of it.
    func allowSkipMode(_ slots: [Int], orderHint: Int, in sequence: AV1SequenceHeader) -> Bool {
        guard sequence.orderHintBits > 0 else { return false }
        let hints = slots.map { frames[$0].orderHint }
        let forward = hints.filter { sequence.distance($0, orderHint) < 0 }
        guard var latest = forward.first else { return false }
        if hints.contains(where: { sequence.distance($0, orderHint) > 0 }) { return true }
        for hint in forward where sequence.distance(hint, latest) > 0 { latest = hint }
        return hints.contains { sequence.distance($0, latest) < 0 }
    }
}
