extension CaptionDescription: Configurable {
    static let settings: [BoundSetting<CaptionDescription>] = [
        BoundSetting(
            "channel",
            \.channel,
            .captionChannel,
            affects: .rolling,
            help: "CC1 to CC4, or SERVICE1 to SERVICE63."
        ),
        BoundSetting(
            "language",
            \.language,
            SettingType.languageTag.optional,
            affects: .rolling,
            help: "Language tag (BCP 47)."
        ),
        BoundSetting(
            "name",
            \.name,
            SettingType.quotable.optional,
            affects: .rolling,
            help: "What a player's menu shows."
        ),
        BoundSetting(
            "default",
            \.isDefault,
            .boolean,
            affects: .rolling,
            help: "Whether they are shown to who does not ask for others."
        ),
    ]
}
