/// nal_unit_type (ISO/IEC 14496-10 Table 7-1), as far as it makes a difference here.
package struct NALUnitType: Hashable, Sendable {
    package var rawValue: UInt8

    /// - Parameter header: The first byte of a NAL unit.
    package init(header: UInt8) {
        self.rawValue = header & 0x1F
    }

    private init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let slice = Self(1)
    package static let idrSlice = Self(5)
    package static let supplementalEnhancementInformation = Self(6)
    package static let sequenceParameterSet = Self(7)
    package static let pictureParameterSet = Self(8)
    package static let accessUnitDelimiter = Self(9)
    package static let endOfSequence = Self(10)
    package static let endOfStream = Self(11)
    package static let fillerData = Self(12)
    package static let sequenceParameterSetExtension = Self(13)
    package static let subsetSequenceParameterSet = Self(15)

    /// Whether it carries a part of the primary picture: Table 7-1 calls it VCL.
    package var isVCL: Bool { 1...5 ~= rawValue }

    /// Whether it begins with a slice header.
    var isSlice: Bool { self == .slice || self == .idrSlice }

    /// Whether it stands ahead of all slices of an access unit, and so behind those of another is the beginning of the
    /// next (ISO/IEC 14496-10 § 7.4.1.2.3).
    var leadsAccessUnit: Bool { 6...9 ~= rawValue || 14...18 ~= rawValue }

    /// Whether a NAL unit is the first slice of a picture, or its first data partition: first_mb_in_slice is 0, in ue(v) a
    /// single 1.
    static func isFirstSlice(_ nalUnit: RawSpan) -> Bool {
        [1, 2, 5].contains(Self(header: nalUnit.unsafeLoad(as: UInt8.self)).rawValue) && nalUnit.byteCount > 1
            && nalUnit.unsafeLoad(fromByteOffset: 1, as: UInt8.self) & 0x80 != 0
    }

    /// Whether a sample of an `avc1` track holds such NAL units.
    ///
    /// Parameter sets are in the decoder configuration only and filler data is not allowed (ISO/IEC 14496-15
    /// § 5.3.2); delimiters and ends say nothing that the sample's bounds do not say.
    package var belongsInSample: Bool {
        switch self {
        case .sequenceParameterSet, .pictureParameterSet, .sequenceParameterSetExtension, .subsetSequenceParameterSet,
            .accessUnitDelimiter, .endOfSequence, .endOfStream, .fillerData:
            false
        default: true
        }
    }
}
