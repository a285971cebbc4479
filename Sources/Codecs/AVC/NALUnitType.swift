/// nal_unit_type (ISO/IEC 14496-10 Table 7-1): the values that matter here.
struct NALUnitType: Hashable, Sendable {
    var rawValue: UInt8

    /// - Parameter header: The first byte of a NAL unit.
    init(header: UInt8) {
        self.rawValue = header & 0x1F
    }

    private init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    static let slice = Self(1)
    static let idrSlice = Self(5)
    static let supplementalEnhancementInformation = Self(6)
    static let sequenceParameterSet = Self(7)
    static let pictureParameterSet = Self(8)
    static let accessUnitDelimiter = Self(9)
    static let endOfSequence = Self(10)
    static let endOfStream = Self(11)
    static let fillerData = Self(12)
    static let sequenceParameterSetExtension = Self(13)
    static let subsetSequenceParameterSet = Self(15)

    /// True if it carries a part of the primary picture: Table 7-1 calls it VCL.
    var isVCL: Bool { isSlice || isPartition }

    /// True if it carries one of the three partitions of a slice's data (ISO/IEC 14496-10 § 7.3.2.9).
    var isPartition: Bool { 2...4 ~= rawValue }

    /// True if it begins with a slice header.
    var isSlice: Bool { self == .slice || self == .idrSlice }

    /// True if it stands ahead of all slices of an access unit, and so behind those of another is the beginning of the
    /// next (ISO/IEC 14496-10 § 7.4.1.2.3).
    var leadsAccessUnit: Bool { 6...9 ~= rawValue || 14...18 ~= rawValue }

    /// Returns true if a NAL unit is the first slice of a picture, or its first data partition: first_mb_in_slice is 0,
    /// in ue(v) a single 1.
    static func isFirstSlice(_ nalUnit: RawSpan) -> Bool {
        [1, 2, 5].contains(Self(header: nalUnit.unsafeLoad(as: UInt8.self)).rawValue) && nalUnit.byteCount > 1
            && nalUnit.unsafeLoad(fromByteOffset: 1, as: UInt8.self) & 0x80 != 0
    }

    /// True if a sample of an `avc1` track holds such NAL units.
    ///
    /// Parameter sets are in the decoder configuration only and filler data is not allowed (ISO/IEC 14496-15
    /// § 5.3.2); delimiters and ends say nothing that the sample's bounds do not say.
    var belongsInSample: Bool {
        switch self {
        case .sequenceParameterSet, .pictureParameterSet, .sequenceParameterSetExtension, .subsetSequenceParameterSet,
            .accessUnitDelimiter, .endOfSequence, .endOfStream, .fillerData:
            false
        default: true
        }
    }
}
