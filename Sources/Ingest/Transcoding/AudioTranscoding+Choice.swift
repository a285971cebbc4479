import MediaCore

extension AudioTranscoding {
    /// The tracks of one input to transcode, by index.
    func choose(from tracks: [InputTrack]) -> Set<InputTrackIndex> {
        let audio = tracks.filter { $0.kind == .audio && $0.isSupported && $0.codec != .aac }
        switch self {
        case .none: return []
        case .all: return Set(audio.map(\.index))
        case .automatic: break
        }
        let chosen = audio.filter { track in
            switch track.codec {
            case .mp2: true
            case .ac3, .eac3: !tracks.contains { $0.hasSameContent(as: track) && $0.isPlayedByAll }
            default: false
            }
        }
        return Set(chosen.map(\.index))
    }
}

extension InputTrack {
    /// True if every player decodes it, or the AAC that it is transcoded to.
    fileprivate var isPlayedByAll: Bool { [.aac, .mp3, .mp2].contains(codec) }

    fileprivate func hasSameContent(as other: InputTrack) -> Bool {
        kind == other.kind && program == other.program && language == other.language
            && isAudioDescription == other.isAudioDescription
    }
}
