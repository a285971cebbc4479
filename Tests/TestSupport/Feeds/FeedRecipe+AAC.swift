/// Feeds of AAC that change, or count otherwise than by 48 kHz.
extension FeedRecipe {
    package static let aac44100 = FeedRecipe("aac-44100", [small], audio: [Audio(sampleRate: 44_100, Audio.aac())])
    package static let aac32000 = FeedRecipe("aac-32000", [small], audio: [Audio(sampleRate: 32_000, Audio.aac())])
    package static let aac51 = FeedRecipe("aac-5.1", [small], audio: [Audio(channels: 6, Audio.aac())])

    // The new format starts with the first frame of a slot, for a segment has but one.

    /// Mono, then stereo.
    package static let otherChannels = eightSeconds.with(audio: joined("audio-channels", mono, stereo), "aac-channels")
    /// 44.1 kHz, then 48 kHz.
    package static let otherSampleRate = eightSeconds.with(
        audio: joined("audio-rates", slower, stereo),
        "aac-rates",
        // FFmpeg continues counting by the first rate when it copies: 164 frames of 1024/44100 s come first.
        filter: "setts=ts=STARTPTS+if(lt(N\\,164)\\,N*1024/0.49\\,164*1024/0.49+(N-164)*1920)"
    )

    /// English and German, and what is to be seen told in English.
    package static let languages = FeedRecipe(
        "languages",
        [small],
        audio: [.stereo, Audio(language: "deu", Audio.aac()), Audio(channels: 1, language: "eng", Audio.aac())],
        options: ["-disposition:a:2", "visual_impaired"]
    )

    private static let small = Picture(x264())
    private static let eightSeconds = FeedRecipe("part-picture", seconds: 8, [small], audio: [])
    private static let mono = part("mono", seconds: 3.79, Audio(channels: 1, Audio.aac()))
    private static let stereo = part("stereo", seconds: 4, .stereo)
    private static let slower = part("44100", seconds: 3.78, Audio(sampleRate: 44_100, Audio.aac()))

    private static func part(_ name: String, seconds: Double, _ audio: Audio) -> FeedRecipe {
        FeedRecipe("part-\(name)", seconds: seconds, [], audio: [audio])
    }
}
