/// The changes that encoders may make to the byte stream of H.264, and FFmpeg's do not.
package enum AccessUnitEdit: Hashable, Sendable {
    /// No access unit delimiters.
    case withoutDelimiters
    /// Start codes of three and of four bytes in turns, also before the first NAL unit.
    case mixedStartCodes
    /// cabac_zero_words and trailing_zero_8bits behind slices, and NAL units of filler data.
    case zeroPadding
    /// CEA-608 and CEA-708 in the SEI.
    case captions
    /// Parameter sets that no slice refers to, of both kinds and before those that are needed.
    case unusedParameterSets
    /// A second and a third time, as encoders do that repeat them with every picture.
    case repeatedParameterSets

    func apply(index: Int, accessUnit: [UInt8]) -> [UInt8] {
        var nalUnits = ByteStream.nalUnits(of: accessUnit)
        switch self {
        case .withoutDelimiters: nalUnits.removeAll { $0.type == 9 }
        case .mixedStartCodes:
            return nalUnits.enumerated().flatMap { ($0 + index) % 2 == 0 ? [0, 0, 1] + $1 : [0, 0, 0, 1] + $1 }
        case .zeroPadding: return Self.padded(nalUnits)
        case .captions:
            let place = nalUnits.firstIndex { $0.isSlice } ?? nalUnits.endIndex
            nalUnits.insert(CaptionMessage(picture: index).nalUnit, at: place)
        case .unusedParameterSets:
            if let place = nalUnits.firstIndex(where: { $0.type == 7 }) {
                nalUnits.insert(contentsOf: Self.unused, at: place)
            }
        case .repeatedParameterSets:
            let sets = nalUnits.filter { $0.type == 7 || $0.type == 8 }
            if let place = nalUnits.firstIndex(where: { $0.isSlice }) {
                nalUnits.insert(contentsOf: sets + sets, at: place)
            }
        }
        return nalUnits.flatMap { [0, 0, 0, 1] + $0 }
    }

    private static func padded(_ nalUnits: [[UInt8]]) -> [UInt8] {
        nalUnits.flatMap { nalUnit -> [UInt8] in
            guard nalUnit.isSlice else { return [0, 0, 0, 0, 0, 1] + nalUnit }
            // § 7.3.2.10: cabac_zero_word, whose emulation prevention byte is part of it. § B.1.1: trailing_zero_8bits.
            let padding: [UInt8] = [0, 0, 3, 0, 0, 3, 0, 0, 0]
            let filler = [0x0C] + [UInt8](repeating: 0xFF, count: 40) + [0x80]
            return [0, 0, 1] + nalUnit + padding + [0, 0, 0, 1] + filler + [0, 0]
        }
    }

    /// An SPS with ID 5 for 16x16 of Baseline, and a PPS with ID 7 that refers to it.
    private static let unused: [[UInt8]] = [
        [0x67, 0x42, 0xC0, 0x0A, 0x35, 0xA7, 0x90],
        [0x68, 0x10, 0x63, 0x8E, 0x20],
    ]
}

extension [UInt8] {
    fileprivate var type: UInt8 { (first ?? 0) & 0x1F }
    fileprivate var isSlice: Bool { type == 1 || type == 5 }
}
