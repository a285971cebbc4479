/// A value as text, and where it was written.
struct Setting: Hashable {
    var text: String
    var origin: SettingOrigin
}

/// Settings of one source; an empty list stands for values that were given but are wrong.
typealias SettingLayer = [ConfigurationKey: [Setting]]

/// The settings of one channel, or of the process, from all sources.
struct LayeredSettings {
    /// Strongest first.
    var layers: [SettingLayer]
    /// Key path of what they belong to: `channels[0].` or nothing.
    var path: String

    /// The values that the strongest source gives; nil where none gives any.
    func given(_ key: ConfigurationKey) -> [Setting]? {
        layers.lazy.compactMap { $0[key] }.first
    }

    /// The values that the strongest source gives, or else the default.
    subscript(key: ConfigurationKey) -> [Setting] {
        if let settings = given(key) { return settings }
        return key.defaultValue.map { [Setting(text: $0, origin: .standard(path: path + key.rawValue))] } ?? []
    }
}

/// A value that has been understood, and where it was written.
struct Located<Value> {
    var value: Value
    var origin: SettingOrigin
}
