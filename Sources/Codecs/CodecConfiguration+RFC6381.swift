package import MediaCore

extension CodecConfiguration {
    /// The name in `CODECS` (RFC 6381 § 3.3, 3.4).
    package var rfc6381: String {
        if let name = dolbyVision?.nameWithoutBase { return name }
        return switch self {
        case .avc(let avc): "avc1.\([avc.profile, avc.compatibility, avc.level].hex)"
        case .hevc(let hevc): "hvc1.\(hevc.profileTierLevel.rfc6381)"
        case .av1(let av1): "av01.\(av1.rfc6381)"
        case .aac(let aac): "mp4a.40.\(aac.objectType)"
        case .ac3: "ac-3"
        case .eac3: "ec-3"
        // ISO/IEC 14496-3 § 1.5.1.1: audio object types of MPEG-1 and MPEG-2 audio.
        case .mpegAudio(let audio): "mp4a.40.\(audio.layer == 3 ? 34 : 33)"
        case .opus: "Opus"
        case .flac: "fLaC"
        case .alac: "alac"
        // ISO/IEC 14496-30 § 7.5; TTML Profiles for Internet Media Subtitles and Captions 1.2 § 6.
        case .text(.webVTT): "wvtt"
        case .text(.imsc1): "stpp.ttml.im1t"
        }
    }
}

extension HEVCConfiguration.ProfileTierLevel {
    /// Profile, compatibility, tier and level, constraints (ISO/IEC 14496-15 § E.3).
    ///
    /// Its digits are of either case; upper case is what its own examples and Apple's have, `hvc1.A4.41.H120.B0.23`.
    fileprivate var rfc6381: String {
        func hex(_ number: some BinaryInteger) -> String { String(number, radix: 16, uppercase: true) }
        let space = ["", "A", "B", "C"][Int(profileSpace & 3)]
        // The flag of profile 0 comes first in the stream and is the lowest bit here.
        let reversed = (0..<32).reduce(UInt32(0)) { $0 << 1 | compatibilityFlags >> UInt32($1) & 1 }
        var constraints = (0..<6).map { UInt8(truncatingIfNeeded: constraintFlags >> (40 - 8 * UInt64($0))) }
        while constraints.last == 0 { constraints.removeLast() }
        let fields = ["\(space)\(profile)", hex(reversed), "\(isHighTier ? "H" : "L")\(level)"]
        return (fields + constraints.map(hex)).joined(separator: ".")
    }
}
