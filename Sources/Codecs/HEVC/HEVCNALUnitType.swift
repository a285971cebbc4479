/// nal_unit_type (ISO/IEC 23008-2 Table 7-1): the values that matter here.
struct HEVCNALUnitType: Hashable, Sendable {
    var rawValue: UInt8

    /// Bytes of a NAL unit's header (ISO/IEC 23008-2 § 7.3.1.2).
    static let headerSize = 2

    /// - Parameter header: The first byte of a NAL unit.
    init(header: UInt8) {
        self.rawValue = header >> 1 & 0x3F
    }

    private init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    static let videoParameterSet = Self(32)
    static let sequenceParameterSet = Self(33)
    static let pictureParameterSet = Self(34)
    static let accessUnitDelimiter = Self(35)
    static let fillerData = Self(38)
    static let prefixSupplementalEnhancementInformation = Self(39)

    /// True if it carries a part of a picture and begins with a slice segment header; reserved types do not count.
    var isSlice: Bool { 0...9 ~= rawValue || 16...21 ~= rawValue }

    /// IDR_W_RADL or IDR_N_LP.
    var isIDR: Bool { 19...20 ~= rawValue }
    /// CRA_NUT.
    var isCRA: Bool { rawValue == 21 }
    /// BLA_W_LP, BLA_W_RADL or BLA_N_LP.
    var isBLA: Bool { 16...18 ~= rawValue }
    /// RASL_N or RASL_R.
    var isRASL: Bool { 8...9 ~= rawValue }

    /// True if slice segment headers name the fate of earlier pictures: types that are IRAP, or reserved for it.
    var isRandomAccessPoint: Bool { 16...23 ~= rawValue }

    var isParameterSet: Bool { 32...34 ~= rawValue }

    /// True if it stands ahead of all slices of an access unit, and so behind those of another is the beginning of the
    /// next (ISO/IEC 23008-2 § 7.4.2.4.4).
    var leadsAccessUnit: Bool {
        32...35 ~= rawValue || rawValue == 39 || 41...44 ~= rawValue || 48...55 ~= rawValue
    }

    /// True if a sample of an `hvc1` track holds such NAL units.
    ///
    /// Parameter sets are in the decoder configuration only and filler data is not needed (ISO/IEC 14496-15 § 8.3.2);
    /// a delimiter says nothing that the sample's bounds do not say. The end of a sequence stays: it changes how the
    /// next picture is decoded. Decoders drop slices of reserved types (ISO/IEC 23008-2 § 7.4.2.2).
    var belongsInSample: Bool {
        switch self {
        case .accessUnitDelimiter, .fillerData: false
        default: isSlice || rawValue >= 32 && !isParameterSet
        }
    }
}
