extension ChannelConfiguration {
    /// The values of settings that have one of the effects, by the names that an operator knows.
    ///
    /// There are no secrets in it, and no addresses of feeds.
    package func identity(of effects: Set<SettingEffect>) -> [String: String] {
        Self.settings.identity(of: self, effects)
    }

    /// The values of settings that an identity, perhaps of an older version, does not name.
    package static let identityOfDefaults = ChannelConfiguration().identity(of: [.stream, .pair, .rolling])
        .merging(Configuration().deliveryIdentity) { channel, _ in channel }

    /// The effect of a setting that an identity names; nil if there is none.
    package static func effect(of name: String) -> SettingEffect? {
        let (key, field) = (name.prefix { $0 != "[" }, name.split(separator: ".").last)
        let setting = (Setting.ofChannel + Setting.ofProcess).first { $0.name == key }
        guard let items = setting?.items else { return setting?.affects }
        return items.fields.first { $0.name == field ?? "" }?.affects
    }
}

extension Configuration {
    /// The settings of the delivery of keys, which hold for all channels: they are in playlists and in `keys.json`.
    package var deliveryIdentity: [String: String] { Self.settings.identity(of: self, [.rolling]) }
}

extension Array {
    fileprivate func identity<Root>(
        of root: Root,
        _ effects: Set<SettingEffect>
    ) -> [String: String] where Element == BoundSetting<Root> {
        let entries = flatMap { setting in
            setting.identity(root).filter { effects.contains($0.effect) }
                .map { (setting.declaration.name + $0.path, $0.text) }
        }
        return Dictionary(entries) { first, _ in first }
    }
}
