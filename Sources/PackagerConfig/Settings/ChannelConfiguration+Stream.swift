import MediaCore

extension ChannelConfiguration {
    /// Settings of the stream that goes out.
    static let streamSettings: [BoundSetting<ChannelConfiguration>] = [
        BoundSetting("format", \.format, .choice, api: .open, affects: .stream) {
            """
            Segment format: fmp4 (CMAF), or ts (MPEG-2 transport streams).

            Beside transport streams there is packed audio where there are several tracks.
            """
        },
        BoundSetting("audio-transcode", \.audioTranscoding, .choice, api: .open, affects: .stream) {
            """
            Make AAC of other audio: none, automatic (of MP2, and of AC-3 without a sibling) or all.

            A sibling is a track that says the same and that all players play; all is everything but AAC. The AAC made
            here differs between the packagers of a pair.
            """
        },
        BoundSetting("segment-duration", \.segmentDuration, .seconds(1...30), api: .open, affects: .stream) {
            """
            Length of a slot of the segment grid. Encoders should send a key frame at least every half of it.

            1 to 30. Segments lie on a grid of this length that is counted from 1970.
            """
        },
        // Half of the longest segment.
        BoundSetting("part-duration", \.partDuration, .seconds(0...15), api: .open, affects: .stream) {
            """
            Longest part of a segment, for low latency (LL-HLS): players are about three of them behind; 0 makes no parts.

            0.2 to half of segment-duration; 1 suits most networks. Parts are made in fmp4, without encryption or with
            sample-aes or sample-aes-ctr. Classic players play the same URLs by segments.
            """
        },
        BoundSetting("hold-next", \.holdsNext, .boolean, api: .open) {
            """
            Media playlists that are asked for without directives wait for their next segment: for classic players
            behind a CDN.

            A CDN that joins requests for one URL then asks once a segment, and its viewers hear of a segment at once. A
            player that begins waits for up to a segment.
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

            In bytes, or with K, M or G for powers of 1024. A window takes its length twice, since players may still ask
            for segments that have left it. With a state directory only the newest segments have to be in memory: older
            ones are served from its files. If the window does not fit, a message says so after three segments; then
            segments go as soon as they leave the playlist, and the playlist becomes shorter, down to three target
            durations.
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
            Bit rates that the multivariant playlist declares in place of measured ones, such as video-1080p=6.5M/5M:
            peak and average of a rendition with audio, in bits a second.

            BANDWIDTH and AVERAGE-BANDWIDTH that are known better than they can be measured: of each rendition its peak,
            or its peak and its average, the audio that is played along included. Default: the heaviest segment so far
            and the heaviest minute so far, of this packager or its peer, rounded up to two digits; they grow with the
            programme, and never shrink.
            """
        },
        BoundSetting("scte35", \.spliceMarkers, .choice, api: .open, affects: .pair) {
            """
            SCTE-35 messages of the feed that are in playlists: passthrough (all), ads or none.

            Each is an EXT-X-DATERANGE in every playlist, and a segment begins with each way out of the programme and
            back. Ads are the kinds of --scte35-ads.
            """
        },
        BoundSetting(
            "scte35-ads",
            \.givenAdvertisements,
            .advertisements,
            api: .open,
            affects: .pair,
            example: "[splice-insert, provider-advertisement]"
        ) {
            """
            Kinds of messages that are advertisements for --scte35 ads: splice-insert, and segmentation types such as
            break.

            The types are those of segmentation descriptors, by the standard's names. Default: splice-insert, break, and
            advertisements, placement opportunities and ad blocks of providers and distributors.
            """
        },
        BoundSetting(
            "scte35-pid",
            \.splicePIDs,
            .splicePIDs,
            api: .open,
            affects: .pair,
            absence: "what the program map registers as SCTE-35",
            example: "[auto]"
        ) {
            """
            PIDs of SCTE-35 in transport streams that do not register it (CUEI), such as 500 or 0x1F4; auto is all of
            stream type 0x86.

            They are those of every input and backup. Sessions of RTP cannot be looked into.
            """
        },
        BoundSetting("scte35-cue-out", \.cueOutTags, .choice, api: .open, affects: .pair) {
            """
            Tell ad servers of advertisements by EXT-X-CUE-OUT, -CONT and EXT-X-CUE-IN as well: none, duration
            (DURATION=30.000) or enhanced (the number alone, and the section beside it).

            They stand beside the date ranges. Advertisements are the kinds of --scte35-ads. A break begins with the
            first segment that begins with it or later, and is over with the first that begins with its end or later.
            """
        },
        BoundSetting("scte35-emsg", \.hasSpliceMessages, .boolean, api: .open, affects: .stream) {
            """
            Put SCTE-35 into segments as well, as emsg of urn:scte:scte35:2013:bin: fmp4 only.

            It is in every rendition but subtitles, with the segment that playlists tell of it with.
            """
        },
        BoundSetting(
            "interstitials",
            \.givenInterstitials,
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
            Interstitials that players play in place of advertisements (HLS). Each break has an EXT-X-DATERANGE beside
            its own, made by the first of these that is of its kind.

            A flag or a line in the environment says the address of the asset list. With --ads alone there is one for
            all breaks, with the defaults.
            """
        },
        BoundSetting(
            "ads",
            \.adSource,
            SettingType.adSource.optional,
            api: .adSource,
            affects: .pair,
            example: "files:ads"
        ) {
            """
            The source of advertisements in breaks, for players that ask the origin: files:DIR, command:PROGRAM or
            vast:https://HOST/PATH.

            With files each directory in DIR that has a finished index.m3u8 is an advertisement, and each JSON file
            stands for one that lies elsewhere ({"URI": …, "DURATION": …}). With command the program is given the break
            as JSON and answers with an asset list, or in VAST. With vast the server is asked with {id}, {event-id},
            {duration}, {type}, {upid}, {start} and {channel} in its URL. Each answer is for all viewers of a break.
            """
        },
        BoundSetting(
            "ads-url",
            \.adsURL,
            SettingType.baseURL.optional,
            api: .open,
            example: "https://cdn.example.com/ads"
        ) {
            """
            URL below which players fetch the files in the directory of advertisements.

            Default: /NAME/ads/ of this origin, at the host that they ask for the list, and by https where a proxy says
            so (X-Forwarded-Proto).
            """
        },
        BoundSetting("ads-timeout", \.adTimeout, .seconds(1...30), api: .open) {
            "Time that a command or a server may think about a break; then there are no advertisements in it."
        },
        BoundSetting("ads-private-addresses", \.allowsPrivateAds, .boolean) {
            """
            Follow VAST to servers in private networks and on this machine, too.

            Without it only the server of --ads itself may be there: servers that its documents and redirects name must
            be public.
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

            An ID may be there once in each language.
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

            Its keys are their names in the playlists. Players are told of it in EXT-X-SESSION-DATA, and get it from
            /NAME/names.json.
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
            Pathways for content steering (EXT-X-CONTENT-STEERING): players use the first one that does well.

            A pathway is a CDN, an edge, or a member of a pair. It has the same paths as this origin. The packager asks each
            one for the channel's playlist and its health, and tells players the order at /NAME/steering.json.
            """
        },
        BoundSetting("steering-ttl", \.steeringTTL, .seconds(5...3600), api: .open) {
            "Time after which players ask again which pathway to use."
        },
        BoundSetting("start-offset", \.startOffset, .seconds(0...86_400), api: .open, affects: .rolling) {
            """
            Distance behind the live edge at which players are asked to begin (EXT-X-START); 0 says nothing.

            At least three target durations, and no more than the window.
            """
        },
        BoundSetting("start-precise", \.startsPrecisely, .boolean, api: .open, affects: .rolling) {
            "Players begin exactly at start-offset, and not with the segment that it lies in."
        },
    ]
}
