extension CaptionDescription: Configurable {
    static let settings: [BoundSetting<CaptionDescription>] = [
        BoundSetting("channel", \.channel, .captionChannel, affects: .rolling) {
            "CC1 to CC4, or SERVICE1 to SERVICE63."
        },
        BoundSetting("language", \.language, SettingType.languageTag.optional, affects: .rolling) {
            "Language tag (BCP 47)."
        },
        BoundSetting("name", \.name, SettingType.quotable.optional, affects: .rolling) {
            "What a player's menu shows."
        },
        BoundSetting("default", \.isDefault, .boolean, affects: .rolling) {
            "Whether they are what a viewer gets who wants captions and does not say which."
        },
    ]
}
