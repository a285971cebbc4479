extension ChannelConfiguration {
    /// Settings of the feeds.
    static let feedSettings: [BoundSetting<ChannelConfiguration>] = [
        BoundSetting("name", \.name, .channelName, api: .open, affects: .stream, isOfOneChannel: true) {
            """
            Channel name, the first path component of its URLs.

            Letters, digits, '.', '_' and '-'.
            """
        },
        BoundSetting(
            "input",
            \.inputs,
            .feeds,
            api: .feed,
            affects: .pair,
            isOfOneChannel: true,
            example: "\n  - udp://239.0.0.1:5000"
        ) {
            """
            A feed: a URL that libavformat opens (udp, srt, rtmp, rtp, http), a file, or - for standard input. Several
            add their tracks to one channel.

            One feed or a list of them; in the environment: one on each line. Feeds with video are the rungs of a
            ladder: their key frames have to be aligned, and audio that comes with several of them (codec, language,
            role) is taken from the first.
            """
        },
        BoundSetting(
            "backup",
            \.backups,
            .feeds,
            api: .feed,
            affects: .rolling,
            isOfOneChannel: true,
            example: "\n  - udp://239.0.0.2:5000"
        ) {
            """
            A feed that stands by for an input: the first backup for the first input, and so on. It is read all the
            time, and fills the segments that the input does not have whole.

            Backups are written like input.
            """
        },
        BoundSetting(
            "program",
            \.programs,
            .programs,
            api: .open,
            affects: .stream,
            isOfOneChannel: true,
            absence: "the first that has any media",
            example: "101"
        ) {
            "The program to read where feeds have several. More than one makes a channel of each, NAME-PROGRAM."
        },
        BoundSetting(
            "audio",
            \.audio,
            listOf: "audio track",
            like: "{language: en, name: English}",
            example: """

                  - { language: en, name: English, default: true }
                  - { language: en, name: Description, characteristics: [public.accessibility.describes-video] }
                  - { language: de, name: Deutsch, autoselect: false }
                """,
            check: { $0.checkAudio($1) }
        ) {
            """
            Attributes of the audio tracks in playlists, in the order of the tracks.

            An attribute that is not given is that of the feed.
            """
        },
        BoundSetting(
            "subtitles",
            \.subtitles,
            listOf: "subtitle track",
            like: "{language: en, source: captions.vtt}",
            example: """

                  - { language: en, name: English, source: captions.vtt, default: true }
                  - { language: de, source: "https://captions.example.com/de.ttml", origin: 2026-11-23T08:00:00Z }
                  - { language: fr }
                """,
            unit: "language=source",
            short: SubtitleDescription.layer,
            check: { $0.checkSubtitles($1) }
        ) {
            """
            Subtitles beside the feeds: WebVTT or TTML in a file or at a URL that grows, or subtitles that are posted to
            the control API.

            A flag or a line in the environment says LANGUAGE=SOURCE, or LANGUAGE alone for subtitles that are only
            posted. They are there from the start on, and empty where nobody speaks. To show posted subtitles at both
            members of a pair, post them to both.
            """
        },
        BoundSetting("feed-subtitles", \.feedSubtitles, .feedSubtitles, api: .open, affects: .rolling) {
            """
            Sources of subtitles inside the feeds: text, teletext, a teletext page by its number, CC1 to CC4 (CEA-608),
            SERVICE1 to SERVICE63 (CEA-708), bitmaps, or none. With text these are text tracks, with teletext the pages
            that the program map calls subtitles, with bitmaps DVB subtitles, read by tesseract.

            Captions stay in the video as well; the setting captions has their language and name.
            """
        },
        BoundSetting("subtitle-formats", \.subtitleFormats, .textFormats, api: .open, affects: .stream) {
            """
            The formats that subtitles are written in: webvtt, which all players read, and beside it imsc1 (fmp4 only).

            Players that are to have IMSC 1 open /NAME/index-imsc1.m3u8, where each variant is listed for both formats.
            index.m3u8 leaves IMSC 1 out: FFmpeg 8 opens no playlist that names it.
            """
        },
        BoundSetting(
            "captions",
            \.captions,
            listOf: "caption channel",
            like: "{channel: CC1, language: en, name: English}",
            example: "\n  - { channel: CC1, language: en, name: English, default: true }",
            check: { $0.checkCaptions($1) }
        ) {
            """
            Captions in the video that are declared from the start on.

            CEA-608: CC1 to CC4, CEA-708: SERVICE1 to SERVICE63. Others are declared when they are seen.
            """
        },
        BoundSetting("clock", \.clock, .choice, api: .open, affects: .pair) {
            """
            The source of UTC: arrival (the time when the feed began to arrive), pts (presentation timestamps that are
            UTC) or timecode (SMPTE timecode in the video).

            With pts the timestamps are UTC in 90 kHz modulo 2^33. Producer reference times are timecode as well. With
            pts and timecode a backup takes over without a gap, and two packagers make the same stream.
            """
        },
        BoundSetting("timecode-offset", \.timecodeOffset, .utcOffset, api: .open, affects: .pair) {
            """
            The time that timecode is ahead of UTC, as +HH:MM or -HH:MM or in seconds, for encoders that label local
            time.

            It is +01:00 in Berlin in winter, and has to be changed with the season.
            """
        },
        BoundSetting(
            "allowed-publishers",
            \.allowedPublishers,
            .addressRanges,
            api: .open,
            absence: "anywhere",
            example: "[192.0.2.7, 10.0.0.0/8]"
        ) {
            """
            Addresses and networks that may send feeds to this packager: by RTMP, SRT that listens, UDP and RTP.

            A publisher by RTMP also has to know the application and the stream key of the input's URL, and one by SRT
            its passphrase and streamid, where the URL has them. UDP and RTP have no key.
            """
        },
        BoundSetting("loop", \.isLooping, .boolean, api: .open) { "Start a file over at its end, for ever." },
        BoundSetting("realtime", \.isRealtime, .boolean, api: .open) {
            "Files are read as fast as they play; --no-realtime reads them as fast as possible."
        },
    ]
}
