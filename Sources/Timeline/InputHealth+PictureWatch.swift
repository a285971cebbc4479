import MediaCore

extension InputHealth {
    /// Tells a picture that stands still from one that moves, by sizes and fingerprints alone.
    ///
    /// Two things look frozen: an encoder that repeats access units, and one that works but is fed the same picture. The
    /// latter's pictures between key frames say "as before" in some tens of bytes and a few different sizes; its key
    /// frames differ in little more than their identifier (`idr_pic_id`) or a timecode, and hardly in size.
    struct PictureWatch: Sendable {
        /// Since when nothing moved; nil while something does.
        private(set) var stillSince: MediaTime?

        /// Fingerprints seen, each at a place that follows from its value: two groups of pictures and more.
        private var seen: [UInt64] = []
        /// Sizes of the last pictures that are not key frames.
        private var sizes = InlineArray<8, Int>(repeating: -1)
        private var nextSize = 0
        /// The last two key frames, newest first: `idr_pic_id` of many encoders alternates.
        private var keyFrames: (newest: KeyFrame?, previous: KeyFrame?)
        /// Other pictures since the newest key frame, and how many of them moved.
        private var others = (count: 0, moved: 0)
        /// Rises with pictures that move, falls with every one that does not.
        private var motion = Self.mostMotion

        private struct KeyFrame {
            var fingerprint: Fingerprint?
            var byteCount: Int
        }

        private static let places = 256
        private static let mostMotion = 64
        /// One odd picture in nine is enough to keep what moves above this; one a second is too little to reach it.
        private static let moving = 32
        private static let oddStep = 8

        mutating func received(_ packet: Packet, at arrival: MediaTime) {
            if seen.isEmpty { seen = Array(repeating: 0, count: Self.places) }
            if packet.isSync {
                motion = isNew(packet) ? Self.mostMotion : max(0, motion - 1)
                keyFrames = (KeyFrame(fingerprint: packet.fingerprint, byteCount: packet.byteCount), keyFrames.newest)
                others = (0, 0)
            } else {
                let step = motionStep(packet)
                motion = max(0, min(Self.mostMotion, motion + step))
                others = (others.count + 1, others.moved + (step > 0 ? 1 : 0))
                sizes[nextSize] = packet.byteCount
                nextSize = (nextSize + 1) % sizes.count
            }
            remember(packet.fingerprint)
            if motion > Self.moving {
                stillSince = nil
            } else if stillSince == nil {
                stillSince = arrival
            }
        }

        mutating func interrupted() {
            stillSince = nil
        }

        private func isNew(_ packet: Packet) -> Bool {
            guard let newest = keyFrames.newest else { return true }
            if let fingerprint = packet.fingerprint,
                fingerprint == newest.fingerprint || fingerprint == keyFrames.previous?.fingerprint
            {
                return false
            }
            // Size proves nothing by itself (encoders of key frames only may give all of them one), but it does after
            // pictures that stood still.
            guard others.count > 0, others.moved * Self.oddStep <= others.count else { return true }
            return abs(packet.byteCount - newest.byteCount) > newest.byteCount / 64
        }

        /// What a picture that is no key frame does to ``motion``.
        private func motionStep(_ packet: Packet) -> Int {
            if let value = packet.fingerprint?.value, seen[place(of: value)] == value { return -1 }
            // Encoders at a constant size pad what moves and what does not alike, but not to so little.
            guard let keyFrame = keyFrames.newest, packet.byteCount <= keyFrame.byteCount / 32 else {
                return Self.mostMotion
            }
            var largest = 0
            for index in sizes.indices {
                if sizes[index] == packet.byteCount { return -1 }
                largest = max(largest, sizes[index])
            }
            // Something appears (a clock's next second); or the rate control settles, a few bytes up or down.
            return packet.byteCount > largest * 2 ? Self.mostMotion : Self.oddStep
        }

        private mutating func remember(_ fingerprint: Fingerprint?) {
            guard let value = fingerprint?.value else { return }
            seen[place(of: value)] = value
        }

        private func place(of value: UInt64) -> Int { Int(value % UInt64(Self.places)) }
    }
}
