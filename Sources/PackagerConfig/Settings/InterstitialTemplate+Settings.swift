import MediaCore

extension InterstitialTemplate: Configurable {
    static let settings: [BoundSetting<InterstitialTemplate>] = [
        BoundSetting("kinds", \.kinds, .advertisements, api: .open, affects: .pair) {
            "Kinds of breaks, as in scte35-ads; by default those of scte35-ads."
        },
        BoundSetting("asset-list", \.assetList, SettingType.addressTemplate.optional, api: .open, affects: .pair) {
            """
            URL where players ask what to play (X-ASSET-LIST), with {id}, {event-id}, {duration}, {type}, {upid},
            {start} and {channel} of the break. Default: the origin itself, which answers from --ads.
            """
        },
        BoundSetting("asset", \.asset, SettingType.addressTemplate.optional, api: .open, affects: .pair) {
            "URL of a finished playlist that players play instead of a list (X-ASSET-URI), written like asset-list."
        },
        BoundSetting("resume-offset", \.resumption, .resumption, api: .open, affects: .pair) {
            """
            Point where the programme continues (X-RESUME-OFFSET): live, duration, or seconds after the start of the
            break; 0 loses nothing of the programme. With live, it is the real end of the break, even if it is early,
            listed as soon as it is certain. With duration, it is the planned end, listed from the start.
            """
        },
        BoundSetting(
            "playout-limit",
            \.playoutLimit,
            SettingType.seconds(1...86_400).optional,
            api: .open,
            affects: .pair
        ) {
            "Longest time to play it (X-PLAYOUT-LIMIT). Default: the length of the break, listed when it is over."
        },
        BoundSetting("snap", \.snap, .words(of: Snap.self), api: .open, affects: .pair) {
            "Ends at which players switch at a segment boundary (X-SNAP)."
        },
        BoundSetting("restrict", \.restrictions, .words(of: Restriction.self), api: .open, affects: .pair) {
            "Actions that viewers may not take (X-RESTRICT): skip inside it, jump over it."
        },
        BoundSetting("once", \.isOnce, .boolean, api: .open, affects: .pair) {
            "True if it is played once only (CUE)."
        },
        BoundSetting("content-may-vary", \.contentMayVary, .boolean, api: .open, affects: .pair) {
            "True if viewers may get different content (X-CONTENT-MAY-VARY)."
        },
        BoundSetting("timeline-occupies", \.occupancy, .choice, api: .open, affects: .pair) {
            "Extent on a player's timeline (X-TIMELINE-OCCUPIES)."
        },
        BoundSetting("timeline-style", \.style, .choice, api: .open, affects: .pair) {
            "Style on a player's timeline (X-TIMELINE-STYLE): highlight sets it apart, primary does not."
        },
        BoundSetting("skip-offset", \.skipOffset, SettingType.wholeSeconds.optional, api: .open, affects: .pair) {
            "Seconds after which viewers may skip it (X-SKIP-CONTROL-OFFSET)."
        },
        BoundSetting("skip-duration", \.skipDuration, SettingType.wholeSeconds.optional, api: .open, affects: .pair) {
            "Seconds for which they may skip it (X-SKIP-CONTROL-DURATION)."
        },
        BoundSetting("skip-label", \.skipLabel, SettingType.skipLabel.optional, api: .open, affects: .pair) {
            "Identifier by which an application knows the words on the button (X-SKIP-CONTROL-LABEL-ID)."
        },
        BoundSetting("preload", \.preload, .seconds(0...600), api: .open, affects: .pair) {
            "Time before the break in which players may load it, each at a random moment."
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
