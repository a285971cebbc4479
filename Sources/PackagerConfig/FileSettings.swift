/// What a file says, before any value is understood.
struct FileSettings {
    var top = FileSection()
    /// Nil without the key `channels`.
    var channels: [FileSection]?
}

/// A mapping of a file: the top one or a channel's.
struct FileSection {
    var settings: SettingLayer = [:]
    /// Nil without the key `audio`.
    var audio: [AudioSettings]?
    /// Nil without the key `captions`.
    var captions: [CaptionSettings]?
    /// Where the section begins.
    var origin: SettingOrigin?

    struct AudioSettings {
        var language: Setting?
        var name: Setting?
        var characteristics: [Setting]?
        var isDefault: Setting?
        var isAutoselect: Setting?
        var origin: SettingOrigin
    }

    struct CaptionSettings {
        var channel: Setting?
        var language: Setting?
        var name: Setting?
        var isDefault: Setting?
        var origin: SettingOrigin
    }
}
