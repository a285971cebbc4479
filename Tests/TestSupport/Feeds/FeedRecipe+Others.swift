/// Feeds of other codecs, of several programs, and ladders.
extension FeedRecipe {
    package static let av1 = FeedRecipe("av1", container: "mp4", [Picture(svtAV1)])
    package static let av1Matroska = FeedRecipe("av1-matroska", container: "mkv", [Picture(svtAV1)])
    private static let svtAV1 = ["libsvtav1", "-preset", "12", "-crf", "50", "-g", "25", "-pix_fmt", "yuv420p"]

    // MARK: Audio

    package static let ac3 = audio("ac3", Audio(["ac3", "-b:a", "192k"]))
    package static let ac351 = audio("ac3-5.1", Audio(channels: 6, ["ac3", "-b:a", "384k"]))
    package static let eac3 = audio("eac3", Audio(["eac3", "-b:a", "96k"]))
    package static let eac351 = audio("eac3-5.1", Audio(channels: 6, ["eac3", "-b:a", "192k"]))
    package static let mp2 = audio("mp2", Audio(["mp2", "-b:a", "128k"]))
    package static let mp3 = audio("mp3", Audio(["libmp3lame", "-b:a", "64k"]))
    package static let opus = audio("opus", Audio(["libopus", "-b:a", "64k"]))
    package static let opusMatroska = audio("opus-matroska", container: "mkv", Audio(["libopus", "-b:a", "64k"]))
    package static let opus51 = audio("opus-5.1", container: "mkv", Audio(channels: 6, ["libopus", "-b:a", "128k"]))
    package static let flac = audio("flac", container: "mp4", Audio(["flac", "-strict", "-2"]))
    package static let flacMatroska = audio("flac-matroska", container: "mkv", Audio(["flac"]))
    package static let alac = audio("alac", container: "mp4", Audio(["alac"]))
    package static let onlyAudio = FeedRecipe("only-audio", [], audio: [.stereo])

    private static func audio(_ name: String, container: String = "ts", _ audio: Audio) -> FeedRecipe {
        FeedRecipe(name, container: container, [Picture(x264())], audio: [audio])
    }

    // MARK: Programs and ladders

    /// Two programs, each with a picture and a audio of its own.
    package static let programs = FeedRecipe(
        "programs",
        [Picture(x264()), Picture(size: "480x270", x264())],
        audio: [.stereo, Audio(language: "deu", Audio.aac())],
        options: ["-program", "title=one:program_num=1:st=0:st=2", "-program", "title=two:program_num=2:st=1:st=3"]
    )

    /// Three rungs, each a feed.
    package static let ladder = ["320x180", "480x270", "640x360"].map { size in
        FeedRecipe("rung-\(size)", [Picture(size: size, x264())], audio: size == "320x180" ? [.stereo] : [])
    }
    /// Three rungs in one feed.
    package static let ladderOfOne = FeedRecipe(
        "ladder",
        ["320x180", "480x270", "640x360"].map { Picture(size: $0, x264()) }
    )
    /// Rungs of SD, HD and UHD, and audio with the first.
    package static let classes = ["320x180", "1280x720", "2560x1440"].map { size in
        FeedRecipe("class-\(size)", [Picture(size: size, x264())], audio: size == "320x180" ? [.stereo] : [])
    }
    /// A rung of another codec.
    package static let hevcRung = FeedRecipe("rung-hevc", [Picture(size: "480x270", x265())], audio: [])
    /// Key frames 0.4 s after those of the first rung.
    package static let misalignedRung = FeedRecipe(
        "misaligned-rung",
        [Picture(size: "480x270", x264("", ["-g", "250", "-force_key_frames", "expr:gte(t,n_forced-0.6)"]))],
        audio: []
    )
}
