extension ChannelConfiguration {
    /// Settings about the loss of inputs.
    static let lossSettings: [BoundSetting<ChannelConfiguration>] = [
        BoundSetting("failback", \.faults.failback, .seconds(0...86_400), api: .open, affects: .rolling) {
            "Time for which an input must be without gaps before it takes over again from its backup."
        },
        BoundSetting("on-loss", \.faults.onLoss, .choice, api: .open, affects: .rolling) {
            """
            Replacement for a segment for which no input has media: gap, slate or hold.

            With gap, it is marked as missing; with slate, it shows a prepared file; with hold, the newest key frame and
            silence.
            """
        },
        // The content is compared, not the path.
        BoundSetting(
            "slate",
            \.faults.slate,
            SettingType.file.compared { _ in nil }.optional,
            api: .path,
            affects: .rolling,
            absence: "the one that comes with packager",
            example: "/etc/packager/slate.ts"
        ) {
            """
            The prepared file for --on-loss slate.

            It needs audio, and video with a key frame at its start and in each segment duration, in the channel's
            codecs. Renditions with other codecs show their newest key frame, or silence, instead.
            """
        },
        BoundSetting("input-timeout", \.faults.inputTimeout, .seconds(0...3600), api: .open) {
            """
            Time without media after which an input is lost; 0 is never.

            A feed that comes in bursts, such as HLS, may pause for 1.5 times its usual pause.
            """
        },
        BoundSetting("frozen-after", \.faults.frozenAfter, .seconds(0...3600), api: .open, affects: .rolling) {
            """
            Time of a frozen picture after which an input is faulty; 0 is never.

            The packager decodes the input for this; 1080p takes a tenth of a core.
            """
        },
        BoundSetting("silent-after", \.faults.silentAfter, .seconds(0...3600), api: .open, affects: .rolling) {
            """
            Time of silence after which an input is faulty; 0 is never.

            Silence is below -60 dB of full scale on all audio tracks.
            """
        },
        BoundSetting("stale-after", \.faults.staleAfter, .seconds(0...3600), api: .open) {
            "Time since the end of the newest segment after which a stream is stale, for --fail-on; 0 is never."
        },
        BoundSetting(
            "fail-on",
            \.faults.failOn,
            .conditions,
            api: .open,
            absence: "never",
            example: "[stale, incomplete, slate, no-key]"
        ) {
            """
            Answer 503 instead of a playlist on any of these: stale, incomplete, slate, no-key.

            A CDN then uses another origin. Incomplete means that a rendition lacks media in its newest segment.
            """
        },
    ]
}
