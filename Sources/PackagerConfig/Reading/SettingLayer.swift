/// The settings of one source: the flags, the environment, or a mapping of a file.
struct SettingLayer {
    /// The values by the names of settings; an empty list stands for values that were given but are wrong.
    var values: [String: [WrittenValue]] = [:]
    /// Mappings of their own, by the names of settings that are lists of these.
    var items: [String: [SettingLayer]] = [:]
    /// The place of its beginning; nil if it is not a mapping of a file.
    var origin: SettingOrigin?
}

/// The settings of one channel, of the process or of one item of a list, from all sources.
struct LayeredSettings {
    /// Strongest first.
    var layers: [SettingLayer]
    /// The key path of the section: `channels[0].` or nothing.
    var path: String

    /// The values that the strongest source gives; nil if none gives any.
    func values(_ name: String) -> [WrittenValue]? {
        layers.lazy.compactMap { $0.values[name] }.first
    }

    /// The items that the strongest source gives; nil if none gives any.
    func items(_ name: String, short: ((WrittenValue) -> SettingLayer)?) -> [SettingLayer]? {
        layers.lazy.compactMap { layer in
            layer.items[name] ?? short.flatMap { short in layer.values[name]?.map(short) }
        }.first
    }
}
