extension CaptionDescription: Configurable {
    static let settings: [BoundSetting<CaptionDescription>] = [
        BoundSetting("channel", \.channel, .captionChannel, api: .open, affects: .rolling) {
            "CC1 to CC4, or SERVICE1 to SERVICE63."
        },
        BoundSetting("language", \.language, SettingType.languageTag.optional, api: .open, affects: .rolling) {
            "Language tag (BCP 47)."
        },
        BoundSetting("name", \.name, SettingType.quotable.optional, api: .open, affects: .rolling) {
            "Name in a player's menu."
        },
        BoundSetting("default", \.isDefault, .boolean, api: .open, affects: .rolling) {
            "True if these are the default captions."
        },
    ]
}
