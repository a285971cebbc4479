import MediaCore

extension AudioAttributes: Configurable {
    init() {
        self.init(language: nil)
    }

    static let settings: [BoundSetting<AudioAttributes>] = [
        BoundSetting("language", \.language, SettingType.languageTag.optional, api: .open, affects: .stream) {
            "Language tag (BCP 47)."
        },
        BoundSetting("name", \.name, SettingType.quotable.optional, api: .open, affects: .stream) {
            "What a player's menu shows."
        },
        BoundSetting(
            "characteristics",
            \.characteristics,
            SettingType.identifiers.optional,
            api: .open,
            affects: .rolling
        ) {
            "What it is for, as uniform type identifiers."
        },
        BoundSetting(
            "default",
            \.isDefault,
            SettingType.boolean.optional,
            api: .open,
            affects: .rolling,
            absence: "the first track"
        ) {
            "Whether it is what a viewer gets who does not choose."
        },
        BoundSetting("autoselect", \.isAutoselect, .boolean, api: .open, affects: .rolling) {
            "Whether players may select it by the viewer's language."
        },
    ]
}
