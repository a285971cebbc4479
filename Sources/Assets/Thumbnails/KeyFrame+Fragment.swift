import Inspection
import MediaCore
import NIOCore

extension KeyFrame {
    /// Takes the first picture of a segment in the clear.
    ///
    /// - Parameters:
    ///   - segment: The segment.
    ///   - section: Its initialization section.
    /// - Returns: Nil if it does not begin with a picture of H.264 or HEVC that needs no other.
    static func first(of segment: ByteBuffer, _ section: ByteBuffer) -> KeyFrame? {
        guard let initialization = try? ParsedInitialization(section),
            let configuration = CodecConfiguration(picturesOf: initialization.track.sampleEntry),
            let fragments = try? ParsedFragment.fragments(in: segment, initialization: initialization),
            let sample = fragments.first(where: { $0.trackID == initialization.track.trackID })?.samples.first,
            sample.isSync,
            let payload = segment.getSlice(at: segment.readerIndex + sample.range.lowerBound, length: sample.size)
        else { return nil }
        return KeyFrame(configuration: configuration, payload: payload)
    }
}

extension CodecConfiguration {
    /// Reads what decoding a key frame takes: parameter sets and size.
    ///
    /// - Parameter entry: A sample entry; nil for other formats than H.264 and HEVC, and for what cannot be read.
    fileprivate init?(picturesOf entry: ParsedSampleEntry) {
        let picture = PictureFormat(width: entry.width, height: entry.height)
        if let box = entry.extensions["avcC"] {
            guard let avc = AVCConfiguration(box, picture) else { return nil }
            self = .avc(avc)
        } else if let box = entry.extensions["hvcC"] {
            guard let hevc = HEVCConfiguration(box, picture) else { return nil }
            self = .hevc(hevc)
        } else {
            return nil
        }
    }
}

extension AVCConfiguration {
    /// Reads the content of `avcC` (ISO/IEC 14496-15 § 5.3.3.1); fails unless lengths have four bytes.
    fileprivate init?(_ box: [UInt8], _ picture: PictureFormat) {
        guard box.count >= 6, box[4] & 3 == 3 else { return nil }
        var rest = box[6...]
        guard let sequence = rest.takeSets(Int(box[5] & 0x1F)), let count = rest.popFirst(),
            let pictures = rest.takeSets(Int(count))
        else { return nil }
        self.init(
            sequenceParameterSets: sequence,
            pictureParameterSets: pictures,
            profile: box[1],
            compatibility: box[2],
            level: box[3],
            picture: picture
        )
    }
}

extension HEVCConfiguration {
    /// Reads the content of `hvcC` (ISO/IEC 14496-15 § 8.3.3.1); fails unless lengths have four bytes.
    fileprivate init?(_ box: [UInt8], _ picture: PictureFormat) {
        guard box.count >= 23, box[21] & 3 == 3 else { return nil }
        var (rest, sets): (ArraySlice<UInt8>, [UInt8: [[UInt8]]]) = (box[23...], [:])
        for _ in 0..<box[22] {
            guard let type = rest.popFirst(), let high = rest.popFirst(), let low = rest.popFirst(),
                let found = rest.takeSets(Int(high) << 8 | Int(low))
            else { return nil }
            sets[type & 0x3F, default: []] += found
        }
        self.init(
            videoParameterSets: sets[32] ?? [],
            sequenceParameterSets: sets[33] ?? [],
            pictureParameterSets: sets[34] ?? [],
            profileTierLevel: ProfileTierLevel(
                profile: box[1] & 0x1F,
                compatibilityFlags: 0,
                constraintFlags: 0,
                level: box[12]
            ),
            picture: picture
        )
    }
}

extension ArraySlice<UInt8> {
    /// Takes parameter sets, each behind its length in 16 bits; nil if there are not so many.
    fileprivate mutating func takeSets(_ count: Int) -> [[UInt8]]? {
        var sets: [[UInt8]] = []
        for _ in 0..<count {
            guard let high = popFirst(), let low = popFirst() else { return nil }
            let length = Int(high) << 8 | Int(low)
            guard length <= self.count else { return nil }
            sets.append(Array(prefix(length)))
            removeFirst(length)
        }
        return sets
    }
}
