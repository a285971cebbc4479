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
            feeds add their tracks to one channel.

            One feed or a list of them; in the environment, one on each line. Feeds with video are the variants of
            the channel: align their key frames. If several carry the same audio (codec, language, role), the first is used.
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
            A backup feed for an input: the first backup for the first input, and so on. The packager reads it all the
            time, and fills segments that the input lacks or has only in part.

            Write backups like input.
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
            "The program to read if feeds have several. Several numbers make a channel for each, NAME-PROGRAM."
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

            Attributes that you leave out come from the feed.
            """
        },
        BoundSetting(
            "subtitles",
            \.text.subtitles,
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
            Subtitles beside the feeds: WebVTT or TTML in a growing file or at a URL, or subtitles that you post to the
            control API.

            Write LANGUAGE=SOURCE in a flag or a line of the environment, or only LANGUAGE for posted subtitles.
            Playlists have them from the start, with empty segments where there is no text. In a pair, a post reaches
            both members.
            """
        },
        BoundSetting("feed-subtitles", \.text.feedSubtitles, .feedSubtitles, api: .open, affects: .rolling) {
            """
            Sources of subtitles inside the feeds: text, teletext, a teletext page by its number, CC1 to CC4 (CEA-608),
            SERVICE1 to SERVICE63 (CEA-708), bitmaps, or none. With text, these are text tracks; with teletext, the
            pages that the program map declares as subtitles; with bitmaps, DVB subtitles, which tesseract reads.

            Captions stay in the video as well; the setting captions has their language and name.
            """
        },
        BoundSetting("subtitle-formats", \.text.formats, .textFormats, api: .open, affects: .stream) {
            """
            Formats of published subtitles: webvtt, which all players read, and optionally imsc1 as well (fmp4 only).

            For IMSC 1, players open /NAME/index-imsc1.m3u8, which lists each variant for both formats. index.m3u8
            leaves IMSC 1 out: FFmpeg 8 opens no playlist that names it.
            """
        },
        BoundSetting(
            "captions",
            \.text.captions,
            listOf: "caption channel",
            like: "{channel: CC1, language: en, name: English}",
            example: "\n  - { channel: CC1, language: en, name: English, default: true }",
            check: { $0.checkCaptions($1) }
        ) {
            """
            Captions in the video that playlists declare from the start.

            CEA-608: CC1 to CC4, CEA-708: SERVICE1 to SERVICE63. Playlists declare others once they appear.
            """
        },
        BoundSetting("clock", \.clock, .choice, api: .open, affects: .pair) {
            """
            The source of UTC: arrival (the time when the feed began to arrive), pts (presentation timestamps that are
            UTC) or timecode (SMPTE timecode in the video).

            With pts the timestamps are UTC in 90 kHz modulo 2^33. Producer reference times count as timecode. With pts
            and timecode, a backup takes over without a gap, and two packagers make the same stream.
            """
        },
        BoundSetting("timecode-offset", \.timecodeOffset, .utcOffset, api: .open, affects: .pair) {
            """
            The time that timecode is ahead of UTC, as +HH:MM, -HH:MM or seconds, for encoders that use local time.

            It is +01:00 in Berlin in winter; change it with the season.
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
            Addresses and networks that may send feeds to this packager: over RTMP, SRT in listener mode, UDP and RTP.

            An RTMP encoder must also name the application and the stream key of the input's URL. An SRT encoder must
            give its passphrase and streamid, if the URL has them. UDP and RTP have no key.
            """
        },
        BoundSetting("loop", \.isLooping, .boolean, api: .open) { "Play a file in a loop, without end." },
        BoundSetting("realtime", \.isRealtime, .boolean, api: .open) {
            "Read files in real time; --no-realtime reads them as fast as possible."
        },
    ]
}
