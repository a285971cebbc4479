extension ChannelConfiguration {
    /// Settings about the loss of inputs.
    static let lossSettings: [BoundSetting<ChannelConfiguration>] = [
        BoundSetting("failback", \.failback, .seconds(0...86_400), api: .open, affects: .rolling) {
            "Time that an input must have been whole before it takes back from its backup."
        },
        BoundSetting("on-loss", \.onLoss, .choice, api: .open, affects: .rolling) {
            """
            Filler of a segment that no input has media for: gap, slate or hold.

            With gap it is marked as missing, with slate it shows a prepared file, with hold the newest key frame, with
            silence.
            """
        },
        // Its path says nothing: what is compared is its content.
        BoundSetting(
            "slate",
            \.slate,
            SettingType.file.compared { _ in nil }.optional,
            api: .path,
            affects: .rolling,
            absence: "the one that comes with packager",
            example: "/etc/packager/slate.ts"
        ) {
            """
            The prepared file for --on-loss slate.

            Video that starts with a key frame, and audio, of the channel's codecs. Renditions of other codecs show
            their newest key frame, or silence, instead.
            """
        },
        BoundSetting("input-timeout", \.inputTimeout, .seconds(0...3600), api: .open) {
            """
            An input that brings no media for this long is lost; 0 is never.

            A feed that comes in lumps, such as HLS, may pause for half as long again as it usually does.
            """
        },
        BoundSetting("frozen-after", \.frozenAfter, .seconds(0...3600), api: .open, affects: .rolling) {
            """
            An input is faulty when its picture has stood still for this long; 0 is never.

            The input has to be decoded for it, and 1080p takes a tenth of a core.
            """
        },
        BoundSetting("silent-after", \.silentAfter, .seconds(0...3600), api: .open, affects: .rolling) {
            """
            An input is faulty when it has been silent for this long; 0 is never.

            Silence is below -60 dB of full scale on all audio tracks.
            """
        },
        BoundSetting("stale-after", \.staleAfter, .seconds(0...3600), api: .open) {
            "The stream is stale when its newest segment ended this long ago, for --fail-on; 0 is never."
        },
        BoundSetting(
            "fail-on",
            \.failOn,
            .conditions,
            api: .open,
            absence: "never",
            example: "[stale, incomplete, slate, no-key]"
        ) {
            """
            Answer 503 instead of a playlist on any of these: stale, incomplete, slate, no-key.

            A CDN then looks elsewhere. Incomplete is a gap or a hole of a rendition at the live edge.
            """
        },
    ]
}
