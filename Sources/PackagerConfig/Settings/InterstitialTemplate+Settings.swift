import MediaCore

extension InterstitialTemplate: Configurable {
    static let settings: [BoundSetting<InterstitialTemplate>] = [
        BoundSetting("kinds", \.kinds, .advertisements, api: .open, affects: .pair) {
            "Of which breaks, as in scte35-ads, which holds where this says nothing."
        },
        BoundSetting("asset-list", \.assetList, SettingType.addressTemplate.optional, api: .open, affects: .pair) {
            """
            Where players ask what to play (X-ASSET-LIST): a URL with {id}, {event-id}, {duration}, {type}, {upid}, {start}
            and {channel} of the break. Default: the origin itself, which answers from --ads.
            """
        },
        BoundSetting("asset", \.asset, SettingType.addressTemplate.optional, api: .open, affects: .pair) {
            "What they play instead of a list (X-ASSET-URI): a URL of a finished playlist, written like asset-list."
        },
        BoundSetting("resume-offset", \.resumption, .resumption, api: .open, affects: .pair) {
            """
            The place where the programme continues (X-RESUME-OFFSET): live, duration, or seconds after the start of the break.

            With live it is where the programme comes back, however early, and is said as soon as that is certain. With duration
            it is the planned end of the break, said from the start on. 0 seconds lose nothing of the programme.
            """
        },
        BoundSetting(
            "playout-limit",
            \.playoutLimit,
            SettingType.seconds(1...86_400).optional,
            api: .open,
            affects: .pair
        ) {
            "How long it is played at most (X-PLAYOUT-LIMIT). Default: as long as the break, said when that is over."
        },
        BoundSetting("snap", \.snap, .words(of: Snap.self), api: .open, affects: .pair) {
            "At which ends players change over at a segment boundary (X-SNAP)."
        },
        BoundSetting("restrict", \.restrictions, .words(of: Restriction.self), api: .open, affects: .pair) {
            "What viewers may not do (X-RESTRICT): skip inside it, jump over it."
        },
        BoundSetting("once", \.isOnce, .boolean, api: .open, affects: .pair) {
            "Whether it is played once only (CUE)."
        },
        BoundSetting("content-may-vary", \.contentMayVary, .boolean, api: .open, affects: .pair) {
            "Whether viewers may get different content (X-CONTENT-MAY-VARY)."
        },
        BoundSetting("timeline-occupies", \.occupancy, .choice, api: .open, affects: .pair) {
            "What it is on a player's timeline (X-TIMELINE-OCCUPIES)."
        },
        BoundSetting("timeline-style", \.style, .choice, api: .open, affects: .pair) {
            "Whether a player's timeline sets it apart (X-TIMELINE-STYLE)."
        },
        BoundSetting("skip-offset", \.skipOffset, SettingType.wholeSeconds.optional, api: .open, affects: .pair) {
            "After how many seconds viewers may skip it (X-SKIP-CONTROL-OFFSET)."
        },
        BoundSetting("skip-duration", \.skipDuration, SettingType.wholeSeconds.optional, api: .open, affects: .pair) {
            "For how many seconds they may (X-SKIP-CONTROL-DURATION)."
        },
        BoundSetting("skip-label", \.skipLabel, SettingType.skipLabel.optional, api: .open, affects: .pair) {
            "What an application knows the words on the button by (X-SKIP-CONTROL-LABEL-ID)."
        },
        BoundSetting("preload", \.preload, .seconds(0...600), api: .open, affects: .pair) {
            "How long before the break players may ask for it, each at a moment of its own."
        },
    ]

    /// Reads an address alone.
    static func layer(_ written: WrittenValue) -> SettingLayer {
        var layer = SettingLayer(origin: written.origin)
        layer.values["asset-list"] = [written]
        return layer
    }
}

extension SettingType where Value == AddressTemplate {
    static let addressTemplate = SettingType(SettingValue.addressTemplate, SettingSyntax(unit: "url")) { $0.text }
}

extension SettingType where Value == InterstitialTemplate.Resumption {
    static let resumption = SettingType(SettingValue.resumption, SettingSyntax(unit: "live, duration or seconds")) {
        switch $0 {
        case .live: "live"
        case .duration: "duration"
        case .after(let offset): offset.decimalSeconds
        }
    }
}

extension SettingType where Value == Int {
    static let wholeSeconds = SettingType(SettingValue.wholeSeconds, SettingSyntax(unit: "seconds")) { "\($0)" }
}

extension SettingType where Value == String {
    static let skipLabel = SettingType(SettingValue.skipLabel) { $0.isEmpty ? nil : $0 }
}

extension SettingType where Value == AdSourceLocation {
    /// Compared by its being there: which advertisements a viewer gets is in no playlist.
    static let adSource = SettingType(SettingValue.adSource, SettingSyntax(unit: "source")) { location in
        switch location {
        case .files(let path): "files:\(path)"
        case .command(let words): "command:\(words.joined(separator: " "))"
        case .server(let address): "vast:\(address.text)"
        }
    }
    .compared { _ in "given" }
}
