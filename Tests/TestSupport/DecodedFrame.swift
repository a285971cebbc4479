/// A picture, or a frame of audio, as it comes out of a decoder.
package struct DecodedFrame: Hashable, Sendable {
    /// Presentation time in 90 kHz ticks, modulo 2^33 where it comes from a transport stream.
    package var time: Int64
    /// MD5 of its picture elements or its audio.
    package var checksum: String

    package init(time: Int64, checksum: String) {
        self.time = time
        self.checksum = checksum
    }
}

extension [DecodedFrame] {
    /// Compares with the source, picture for picture and time for time.
    ///
    /// - Parameters:
    ///   - source: What the source decodes to.
    ///   - skipped: How many frames at the start of the source may be missing.
    ///   - settling: After how many frames the decoder has forgotten that it did not see what was before.
    ///   - spoiled: How many frames at the end the decoder may have got wrong or lost.
    ///   - tolerance: By what times may differ in 90 kHz ticks, once the first ones are on each other.
    /// - Returns: The first difference, or nil.
    package func difference(
        from source: [DecodedFrame],
        skipped: Int = 0,
        settling: Int = 0,
        spoiled: Int = 0,
        tolerance: Int64 = 1
    ) -> String? {
        let lost = skipped == 0 ? Swift.max(0, Swift.min(spoiled, source.count - count)) : 0
        let missing = source.count - lost - count
        guard missing >= 0, missing <= skipped, count > settling else {
            return "\(count) frames of \(source.count)\(firstDifference(source).map { "; \($0)" } ?? "")"
        }
        let expected = source[missing...]
        guard let (first, start) = self.first.flatMap({ first in expected.first.map { (first, $0) } }) else {
            return nil
        }
        for (index, (frame, original)) in zip(self, expected).enumerated() {
            if index >= settling || missing == 0, index < count - (spoiled - lost), frame.checksum != original.checksum
            {
                return "frame \(index) of \(count) is not the source's frame \(missing + index)"
            }
            let late = Self.wrapped(frame.time &- first.time &- (original.time &- start.time))
            if abs(late) > tolerance { return "frame \(index) of \(count) is \(late) ticks late" }
        }
        return nil
    }

    private func firstDifference(_ source: [DecodedFrame]) -> String? {
        guard let index = zip(self, source).enumerated().first(where: { $1.0.checksum != $1.1.checksum })?.offset else {
            return nil
        }
        let later = source.firstIndex { $0.checksum == self[index].checksum }
        return "frame \(index) is the source's frame \(later.map(String.init) ?? "of none")"
    }

    /// ISO/IEC 13818-1 § 2.4.3.7: timestamps of transport streams have 33 bits.
    private static func wrapped(_ difference: Int64) -> Int64 {
        let rest = difference & (1 << 33 - 1)
        return rest >= 1 << 32 ? rest - 1 << 33 : rest
    }
}
