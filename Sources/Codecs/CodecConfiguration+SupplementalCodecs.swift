package import MediaCore

extension CodecConfiguration {
    /// The entries of `SUPPLEMENTAL-CODECS` (RFC 8216bis § 4.4.6.2): the better presentation that some decoders make of
    /// the same samples, with the brand of the base that others show.
    package var supplementalCodecs: [String] {
        var codecs = dolbyVision?.supplementalCodec.map { [$0] } ?? []
        // CTA-5006: the brand of SMPTE ST 2094-40 metadata.
        if picture?.dynamicRange.hasHDR10Plus == true { codecs.append("\(rfc6381)/cdm4") }
        return codecs
    }

    var dolbyVision: DolbyVisionConfiguration? { picture?.dynamicRange.dolbyVision }
}

extension DolbyVisionConfiguration {
    /// The name in `CODECS` if other decoders cannot play the stream: compatibility 0.
    var nameWithoutBase: String? { compatibilityID == 0 && hasBaseLayer ? name : nil }

    /// The name and brand for a base of HDR10, SDR or HLG; nil if there is no such brand.
    var supplementalCodec: String? {
        switch compatibilityID {
        case 1: "\(name)/db1p"
        case 2: "\(name)/db2g"
        case 4: "\(name)/db4h"
        default: nil
        }
    }

    /// Dolby Vision Profiles and Levels § 4: sample entry, profile, level.
    private var name: String {
        func digits(_ number: UInt8) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(profile == 10 ? "dav1" : "dvh1").\(digits(profile)).\(digits(level))"
    }
}
