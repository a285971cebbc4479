import MediaCore

extension SubtitleDescription: Configurable {
    static let settings: [BoundSetting<SubtitleDescription>] = [
        BoundSetting("language", \.attributes.language, .languageTag, api: .open, affects: .stream) {
            "Language tag (BCP 47)."
        },
        BoundSetting("name", \.attributes.name, SettingType.quotable.optional, api: .open, affects: .stream) {
            "Name in a player's menu."
        },
        BoundSetting("source", \.source, SettingType.fileOrURL.optional, api: .fileOrServer) {
            "A file or URL of WebVTT or TTML, which the packager checks every second."
        },
        BoundSetting("service", \.attributes.service, SettingType.textService.optional, api: .open, affects: .stream) {
            "Service inside the feeds, instead of a source: a page of teletext, CC1 to CC4, or SERVICE1 to SERVICE63."
        },
        BoundSetting("origin", \.origin, .timedTextOrigin, api: .open, affects: .rolling) {
            "Start of the times in the source: midnight UTC, or a point in time."
        },
        BoundSetting("characteristics", \.attributes.characteristics, .identifiers, api: .open, affects: .rolling) {
            "Purpose of the subtitles, as uniform type identifiers."
        },
        BoundSetting("default", \.attributes.isDefault, .boolean, api: .open, affects: .rolling) {
            "True if players show them by default."
        },
        BoundSetting("autoselect", \.attributes.isAutoselect, .boolean, api: .open, affects: .rolling) {
            "True if players may select them by the viewer's language."
        },
        BoundSetting("forced", \.attributes.isForced, .boolean, api: .open, affects: .stream) {
            "True if viewers need them whatever language they understand."
        },
    ]
}
