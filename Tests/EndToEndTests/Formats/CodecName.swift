/// An element of CODECS, read as RFC 6381 and the codecs' own registrations say, in FFmpeg's words.
struct CodecName: Equatable {
    /// FFmpeg's name of the codec.
    var codec: String
    /// Sample entry, where the container has one.
    var sampleEntry: String
    /// FFmpeg's name of the profile; nil if the name does not say it.
    var profile: String?
    /// FFmpeg's number of the level.
    var level: Int?
    /// Bits of a sample of luma.
    var bitDepth: Int?

    /// Reads a name; fails if a packager may not use it.
    init?(_ name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        sampleEntry = parts[0]
        switch (sampleEntry, parts.count) {
        // ISO/IEC 14496-15 § E.3: profile_idc, constraint flags and level_idc.
        case ("avc1", 2), ("avc3", 2):
            guard parts[1].count == 6, let bytes = UInt32(parts[1], radix: 16) else { return nil }
            codec = "h264"
            profile = Self.avcProfile(bytes >> 16, constraints: bytes >> 8 & 0xFF)
            level = Int(bytes & 0xFF)
        // § E.3: profile space and profile, compatibility, tier and level, constraint bytes.
        case ("hvc1", 4...), ("hev1", 4...):
            guard let tier = parts[3].first, "LH".contains(tier) else { return nil }
            codec = "hevc"
            profile = ["1": "Main", "2": "Main 10", "3": "Main Still Picture", "4": "Rext"][parts[1]]
            level = Int(parts[3].dropFirst())
        // AV1 Codec ISO Media File Format Binding § 5: profile, level and tier, bit depth.
        case ("av01", 4...):
            guard let tier = parts[2].last, "MH".contains(tier) else { return nil }
            codec = "av1"
            profile = ["0": "Main", "1": "High", "2": "Professional"][parts[1]]
            level = Int(parts[2].dropLast())
            bitDepth = Int(parts[3])
        case ("mp4a", 3) where parts[1] == "40":
            // ISO/IEC 14496-3 table 1.17: audio object types.
            codec = parts[2] == "34" ? "mp3" : "aac"
            profile = ["2": "LC", "5": "HE-AAC", "29": "HE-AACv2"][parts[2]]
        case ("mp4a", 2) where ["6b", "69"].contains(parts[1].lowercased()): codec = "mp3"
        case ("ac-3", 1): codec = "ac3"
        case ("ec-3", 1): codec = "eac3"
        case ("Opus", 1), ("opus", 1): codec = "opus"
        case ("fLaC", 1), ("flac", 1): codec = "flac"
        case ("alac", 1): codec = "alac"
        default: return nil
        }
    }

    /// ISO/IEC 14496-10 § A.2.
    private static func avcProfile(_ profile: UInt32, constraints: UInt32) -> String? {
        switch profile {
        case 66: constraints & 0x40 != 0 ? "Constrained Baseline" : "Baseline"
        case 77: "Main"
        case 100: "High"
        case 110: constraints & 0x10 != 0 ? "High 10 Intra" : "High 10"
        case 122: "High 4:2:2"
        default: nil
        }
    }
}
