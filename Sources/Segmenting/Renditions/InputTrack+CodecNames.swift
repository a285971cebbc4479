import MediaCore

extension InputTrack.Codec {
    /// Returns true if CODECS may have this name for it.
    func isNamed(by name: String) -> Bool {
        let prefixes: [String] =
            switch self {
            case .h264: ["avc1"]
            case .hevc: ["hvc1", "dvh1"]
            case .av1: ["av01", "dav1"]
            case .aac: ["mp4a.40.2", "mp4a.40.5", "mp4a.40.29"]
            case .mp2: ["mp4a.40.33"]
            case .mp3: ["mp4a.40.34"]
            case .ac3: ["ac-3"]
            case .eac3: ["ec-3"]
            case .opus: ["Opus"]
            case .flac: ["fLaC"]
            case .alac: ["alac"]
            case .text(.webVTT): ["wvtt"]
            case .text(.imsc1): ["stpp"]
            case .unsupported: []
            }
        return prefixes.contains { name.hasPrefix($0) }
    }
}
