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
            "Name in a player's menu."
        },
        BoundSetting(
            "characteristics",
            \.characteristics,
            SettingType.identifiers.optional,
            api: .open,
            affects: .rolling
        ) {
            "Purpose of the track, as uniform type identifiers."
        },
        BoundSetting(
            "default",
            \.isDefault,
            SettingType.boolean.optional,
            api: .open,
            affects: .rolling,
            absence: "the first track"
        ) {
            "True if this is the default track."
        },
        BoundSetting("autoselect", \.isAutoselect, .boolean, api: .open, affects: .rolling) {
            "True if players may select it by the viewer's language."
        },
    ]
}
