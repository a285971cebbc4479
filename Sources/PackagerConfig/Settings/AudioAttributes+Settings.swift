import MediaCore

extension AudioAttributes: Configurable {
    init() {
        self.init(language: nil)
    }

    static let settings: [BoundSetting<AudioAttributes>] = [
        BoundSetting(
            "language",
            \.language,
            SettingType.languageTag.optional,
            affects: .stream,
            help: "Language tag (BCP 47)."
        ),
        BoundSetting(
            "name",
            \.name,
            SettingType.quotable.optional,
            affects: .stream,
            help: "What a player's menu shows."
        ),
        BoundSetting(
            "characteristics",
            \.characteristics,
            SettingType.identifiers.optional,
            affects: .rolling,
            help: "Uniform type identifiers of what it is for."
        ),
        BoundSetting(
            "default",
            \.isDefault,
            SettingType.boolean.optional,
            affects: .rolling,
            absence: "the first track",
            help: "Whether it is what a player gets that does not ask."
        ),
        BoundSetting(
            "autoselect",
            \.isAutoselect,
            .boolean,
            affects: .rolling,
            help: "Whether players may select it by the viewer's language."
        ),
    ]
}
