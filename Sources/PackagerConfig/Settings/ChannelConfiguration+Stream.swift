import MediaCore

extension ChannelConfiguration {
    /// The settings of the output stream.
    static let streamSettings: [BoundSetting<ChannelConfiguration>] = [
        BoundSetting("format", \.format, .choice, api: .open, affects: .stream) {
            """
            Segment format: fmp4 (CMAF), or ts (MPEG-2 transport streams).

            With ts and several tracks, each audio track is packed audio of its own.
            """
        },
        BoundSetting("audio-transcode", \.audioTranscoding, .choice, api: .open, affects: .stream) {
            """
            Transcode other audio to AAC: none, automatic (MP2, and AC-3 without a sibling) or all.

            A sibling is a track with the same content that all players play. All means everything but AAC. Transcoded
            audio differs between the packagers of a pair.
            """
        },
        BoundSetting("segment-duration", \.segmentDuration, .seconds(1...30), api: .open, affects: .stream) {
            """
            Length of a segment. Encoders should send a key frame at least every half of it.

            1 to 30. Segments lie on a grid of this length, counted from 1970.
            """
        },
        // Half of the longest segment.
        BoundSetting("part-duration", \.partDuration, .seconds(0...15), api: .open, affects: .stream) {
            """
            Longest part of a segment, for low latency (LL-HLS): players are about three parts behind; 0 makes no parts.

            0.2 to half of segment-duration; 1 suits most networks. Parts are made in fmp4, without encryption or with
            sample-aes or sample-aes-ctr. Classic players play the same URLs by segments.
            """
        },
        BoundSetting("hold-next", \.holdsNext, .boolean, api: .open) {
            """
            Hold requests for media playlists without directives until the next segment, for classic players behind a
            CDN.

            A CDN that collapses requests then asks once for each segment, and its viewers learn of a segment at once. A
            player that starts waits for up to a segment.
            """
        },
        // At most a day: more is a slip of the pen rather than a wish.
        BoundSetting("window", \.window, .seconds(1...86_400), api: .open, affects: .rolling) {
            """
            Length of the live playlist.

            At least six segments and three target durations (of one and a half segments each).
            """
        },
        BoundSetting("maximum-memory", \.maximumMemory, .bytes(16 << 20...1 << 40), api: .open) {
            """
            Memory for published media, such as 512M.

            In bytes, or with K, M or G for powers of 1024. A window needs memory for twice its length, since players
            may still ask for segments that have left it. With a state directory, only the newest segments must be in
            memory; older ones come from files. If the window does not fit, a message says so after three segments. Then
            segments are dropped as soon as they leave the playlist, and the playlist becomes shorter, down to three
            target durations.
            """
        },
        BoundSetting(
            "bandwidth",
            \.bandwidths,
            .bandwidths,
            api: .open,
            affects: .pair,
            example: "[video-1080p=6.5M/5M, video-360p=900k]"
        ) {
            """
            Bit rates that the multivariant playlist declares instead of measured ones, such as video-1080p=6.5M/5M:
            peak and average of a rendition with audio, in bits a second.

            Set BANDWIDTH and AVERAGE-BANDWIDTH if you know them: the peak of each rendition, or its peak and average,
            including its audio. Default: the highest bit rates of a segment and of a minute so far, of this packager or
            its peer, rounded up to two digits. They grow, but never shrink.
            """
        },
        BoundSetting("scte35", \.splices.markers, .choice, api: .open, affects: .pair) {
            """
            SCTE-35 messages of the feed to put into playlists: passthrough (all), ads or none.

            Each becomes an EXT-X-DATERANGE in every playlist, and a segment begins at each start and end of a break.
            Ads are the kinds of --scte35-ads.
            """
        },
        BoundSetting(
            "scte35-ads",
            \.splices.givenAdvertisements,
            .advertisements,
            api: .open,
            affects: .pair,
            example: "[splice-insert, provider-advertisement]"
        ) {
            """
            Kinds of messages that count as advertisements: splice-insert, and segmentation types such as break.

            The types are those of segmentation descriptors, with the names of the standard. Default: splice-insert,
            break, and advertisements, placement opportunities and ad blocks of providers and distributors.
            """
        },
        BoundSetting(
            "scte35-pid",
            \.splices.pids,
            .splicePIDs,
            api: .open,
            affects: .pair,
            absence: "what the program map registers as SCTE-35",
            example: "[auto]"
        ) {
            """
            PIDs of SCTE-35 in transport streams that do not register it (CUEI), such as 500 or 0x1F4; auto is all of
            stream type 0x86.

            They apply to every input and backup. RTP sessions (SDP files) cannot have them.
            """
        },
        BoundSetting("scte35-cue-out", \.splices.cueOutTags, .choice, api: .open, affects: .pair) {
            """
            Also mark advertisements with EXT-X-CUE-OUT, -CONT and EXT-X-CUE-IN for ad servers: none, duration
            (DURATION=30.000) or enhanced (the bare number, and the section).

            The tags are added to the date ranges. Advertisements are the kinds of --scte35-ads. A break begins with the
            first segment at its start or later, and ends with the first segment at its end or later.
            """
        },
        BoundSetting("scte35-emsg", \.splices.hasMessages, .boolean, api: .open, affects: .stream) {
            """
            Put SCTE-35 into segments as well, as emsg of urn:scte:scte35:2013:bin: fmp4 only.

            It is in every rendition but subtitles, in the segment with which playlists announce it.
            """
        },
        BoundSetting(
            "interstitials",
            \.ads.givenInterstitials,
            listOf: "interstitial",
            like: "{asset-list: \"https://ads.example.com/{channel}/{event-id}?d={duration}\"}",
            example: """

                  - { kinds: [break], asset-list: "https://ads.example.com/{event-id}?d={duration}", restrict: [skip, jump] }
                  - { resume-offset: duration, playout-limit: 120, preload: 10 }
                """,
            isOfOneChannel: false,
            unit: "url",
            short: InterstitialTemplate.layer,
            check: { $0.checkInterstitials($1) }
        ) {
            """
            HLS interstitials that players play instead of advertisements. For each break, the first entry of its kind
            adds an EXT-X-DATERANGE.

            A flag or a line in the environment has the address of the asset list. With --ads alone, one interstitial
            with the defaults is for all breaks.
            """
        },
        BoundSetting(
            "ads",
            \.ads.source,
            SettingType.adSource.optional,
            api: .adSource,
            affects: .pair,
            example: "files:ads"
        ) {
            """
            The source of advertisements in breaks, for players that ask the origin: files:DIR, command:PROGRAM or
            vast:https://HOST/PATH.

            With files, each directory in DIR with a finished index.m3u8 is an advertisement, and each JSON file names
            one that is elsewhere ({"URI": …, "DURATION": …}). With command, the program gets the break as JSON, and
            answers with an asset list or VAST. With vast, the packager asks the server with {id}, {event-id},
            {duration}, {type}, {upid}, {start} and {channel} in its URL. Each answer is for all viewers of a break.
            """
        },
        BoundSetting(
            "ads-url",
            \.ads.url,
            SettingType.baseURL.optional,
            api: .open,
            example: "https://cdn.example.com/ads"
        ) {
            """
            URL below which players fetch the files in the directory of advertisements.

            Default: /NAME/ads/ of this origin, at the host of the request for the list, with https if a proxy says so
            (X-Forwarded-Proto).
            """
        },
        BoundSetting("ads-timeout", \.ads.timeout, .seconds(1...30), api: .open) {
            "Time for the answer of a command or a server; after it, the break has no advertisements."
        },
        BoundSetting("ads-private-addresses", \.ads.allowsPrivate, .boolean) {
            """
            Follow VAST to servers in private networks and on this machine, too.

            Without it, only the server of --ads itself may be there: servers in its documents and redirects must be
            public.
            """
        },
        BoundSetting(
            "session-data",
            \.sessionData,
            listOf: "session data",
            like: "{id: com.example.title, value: The News}",
            example: """

                  - { id: com.example.title, language: en, value: The News }
                  - { id: com.example.chapters, uri: "https://example.com/chapters.json" }
                """,
            isOfOneChannel: false,
            check: { $0.checkSessionData($1) }
        ) {
            """
            Data of the whole channel in the multivariant playlist (EXT-X-SESSION-DATA).

            Each ID may appear once in each language.
            """
        },
        BoundSetting(
            "localized-names",
            \.localizedNames,
            SettingType.file.optional,
            api: .path,
            affects: .rolling,
            example: "names.json"
        ) {
            """
            JSON file with the names of audio and subtitles in other languages: {"English": {"de": "Englisch"}}.

            Its keys are the names in the playlists. EXT-X-SESSION-DATA leads players to it at /NAME/names.json.
            """
        },
        BoundSetting(
            "steering",
            \.pathways,
            listOf: "pathway",
            like: "{id: cdn-a, url: https://cdn-a.example.com}",
            example: """

                  - { id: cdn-a, url: "https://cdn-a.example.com" }
                  - { id: cdn-b, url: "https://cdn-b.example.com" }
                """,
            isOfOneChannel: false,
            check: { $0.checkPathways($1) }
        ) {
            """
            Pathways for content steering (EXT-X-CONTENT-STEERING): players use the first healthy one.

            A pathway is a CDN, an edge, or a member of a pair. It has the same paths as this origin. The packager asks each
            one for the channel's playlist and its health, and tells players the order at /NAME/steering.json.
            """
        },
        BoundSetting("steering-ttl", \.steeringTTL, .seconds(5...3600), api: .open) {
            "Time after which players ask again which pathway to use."
        },
        BoundSetting("start-offset", \.startOffset, .seconds(0...86_400), api: .open, affects: .rolling) {
            """
            Distance behind the live edge where players should begin (EXT-X-START); 0 leaves it to them.

            At least three target durations, and no more than the window.
            """
        },
        BoundSetting("start-precise", \.startsPrecisely, .boolean, api: .open, affects: .rolling) {
            "Let players begin exactly at start-offset, not at the start of its segment."
        },
    ]
}
