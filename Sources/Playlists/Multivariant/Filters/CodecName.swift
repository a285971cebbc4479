/// Names of codecs as viewers write them, and as CODECS does (RFC 6381).
enum CodecName {
    enum Kind: Hashable, Sendable {
        case video, audio
    }

    /// Returns the codecs that a name in lower case stands for: one of a device's list, or the beginning of an entry of
    /// CODECS.
    static func codecs(of name: String) -> [String] { names[name] ?? (kind(of: name) == nil ? [] : [name]) }

    /// Returns the kind of an entry of CODECS; nil for text and unknown ones.
    static func kind(of codec: some StringProtocol) -> Kind? {
        let entry = codec.prefix { $0 != "." }.lowercased()
        if videoEntries.contains(entry) { return .video }
        return audioEntries.contains(entry) ? .audio : nil
    }

    /// Returns true if an entry of CODECS is one of these, or begins with one.
    static func matches(_ codec: String, _ codecs: Set<String>) -> Bool {
        let codec = codec.lowercased()
        return codecs.contains { codec == $0 || codec.hasPrefix("\($0).") }
    }

    private static let names: [String: [String]] = [
        "h264": ["avc1", "avc3"], "avc": ["avc1", "avc3"],
        "h265": ["hvc1", "hev1", "dvh1", "dvhe"], "hevc": ["hvc1", "hev1", "dvh1", "dvhe"],
        "av1": ["av01", "dav1"], "vp9": ["vp09"],
        // The two of AWS MediaPackage: AAC-LC, and HE-AAC in both versions.
        "aacl": ["mp4a.40.2"], "aach": ["mp4a.40.5", "mp4a.40.29"], "aac": ["mp4a"],
        "ac3": ["ac-3"], "eac3": ["ec-3"], "mp3": ["mp4a.40.34", "mp4a.6b", "mp4a.69"],
    ]
    private static let videoEntries: Set = [
        "avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "av01", "dav1", "vp09",
    ]
    private static let audioEntries: Set = ["mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac"]
}
