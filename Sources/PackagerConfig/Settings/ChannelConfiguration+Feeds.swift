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
            A feed: what libavformat opens (udp, srt, rtmp, rtp, http), a file, or - for standard input. Several add
            their tracks to one channel.

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
            A feed that stands by for an input: the first for the first, and so on. It is read all the time, and fills
            what the input has no whole segment for.

            They are written like input.
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
            What playlists say of the audio tracks, in the order of the tracks.

            Where nothing is said, what the feed says holds.
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
            Subtitles beside the feeds: WebVTT or TTML in a file or at a URL that grows, or what is posted to the
            control API.

            A flag or a line in the environment says LANGUAGE=SOURCE, or LANGUAGE alone for what is only posted. They are there
            from the start on, and empty where nobody speaks. What members of a pair shall both show is posted to both.
            """
        },
        BoundSetting("feed-subtitles", \.feedSubtitles, .feedSubtitles, api: .open, affects: .rolling) {
            """
            The words inside feeds that become subtitles: text, teletext, a page by its number, CC1 to CC4, SERVICE1 to SERVICE63,
            bitmaps, or none.

            With text it is tracks of text, with teletext the pages that the program map calls subtitles. CC1 to CC4 are captions
            of CEA-608, SERVICE1 to SERVICE63 those of CEA-708. Bitmaps are DVB subtitles, read by tesseract. Captions stay in
            the video as well; their language and name are those of captions.
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
            The source of UTC: arrival; pts when presentation timestamps are UTC; timecode when the video carries SMPTE
            timecode.

            With arrival it is the time when the feed began to arrive. pts is UTC in 90 kHz modulo 2^33. Producer reference
            times are timecode as well. With pts and timecode a backup takes over without a gap, and two packagers make the same
            stream.
            """
        },
        BoundSetting("timecode-offset", \.timecodeOffset, .utcOffset, api: .open, affects: .pair) {
            """
            What timecode is ahead of UTC, as +HH:MM or -HH:MM or in seconds, where encoders label local time.

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
            Addresses and networks that feeds which are sent to this packager may come from: RTMP, SRT that listens, UDP and
            RTP.

            Who publishes by RTMP has to know the application and the stream key of the input's URL besides, and by SRT
            its passphrase and streamid, where it has them. UDP and RTP have no key.
            """
        },
        BoundSetting("loop", \.isLooping, .boolean, api: .open) { "Start a file over at its end, for ever." },
        BoundSetting("realtime", \.isRealtime, .boolean, api: .open) {
            "Files are read as fast as they play; --no-realtime reads them as fast as possible."
        },
    ]
}
