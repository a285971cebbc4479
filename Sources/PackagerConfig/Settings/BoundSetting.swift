/// A setting, and the property that it sets.
struct BoundSetting<Root: Configurable>: Sendable {
    let declaration: Setting
    /// Reads it from all sources, and reports problems.
    let read: @Sendable (inout ConfigurationReader, LayeredSettings, inout SettingReading<Root>) -> Void
    /// The values that are to be the same in another packager or run, by key path from the setting on, empty for the
    /// setting itself.
    let identity: @Sendable (Root) -> [(path: String, effect: SettingEffect, text: String)]
    /// Returns true if its values differ in two configurations.
    let differs: @Sendable (Root, Root) -> Bool

    /// - Parameters:
    ///   - name: As it is called everywhere.
    ///   - path: The property that it sets; its first value is the default.
    ///   - type: The type, which reads and writes it.
    ///   - api: The values that the control API accepts.
    ///   - affects: The things that depend on it.
    ///   - isOfOneChannel: True if it cannot mean the same for several channels.
    ///   - absence: The meaning of a missing value, if it needs an explanation.
    ///   - example: A value in YAML, for a setting without a default.
    ///   - text: A paragraph with the meaning, and a second one with details.
    init<Value: Equatable & SendableMetatype>(
        _ name: String,
        _ path: any WritableKeyPath<Root, Value> & Sendable,
        _ type: SettingType<Value>,
        api: APIAccess = .closed,
        affects: SettingEffect = .nothing,
        isOfOneChannel: Bool = false,
        absence: String? = nil,
        example: String? = nil,
        text: () -> String
    ) {
        let defaultValue = type.text(Root()[keyPath: path])
        declaration = Setting(
            name: name,
            syntax: type.syntax,
            defaultValue: defaultValue,
            absence: absence,
            example: example,
            isOfOneChannel: isOfOneChannel,
            api: api,
            affects: affects,
            items: nil,
            text: text()
        )
        read = { reader, settings, reading in
            guard let written = settings.values(name) else {
                if defaultValue != nil { reading.note(path, [.standard(path: settings.path + name)]) }
                return
            }
            reading.noteGiven(path, name, written.map(\.origin))
            guard !written.isEmpty, let value = type.read(&reader, written) else { return }
            reading.value[keyPath: path] = value
            reading.note(path, written.map(\.origin))
        }
        identity = { root in
            type.identity(root[keyPath: path]).map { [("", affects, $0)] } ?? []
        }
        differs = { $0[keyPath: path] != $1[keyPath: path] }
    }

    /// A list of mappings.
    ///
    /// - Parameters:
    ///   - name: As it is called everywhere.
    ///   - path: The property that it sets.
    ///   - noun: The name of an item in messages.
    ///   - itemExample: An item in YAML.
    ///   - example: A list in YAML.
    ///   - isOfOneChannel: True if it cannot mean the same for several channels.
    ///   - unit: The word for a text in help.
    ///   - short: Reads a text that stands for one on a command line; nil if none can.
    ///   - check: Reports values that do not fit together.
    ///   - text: A paragraph with the meaning, and a second one with details.
    init<Item: Configurable & Equatable & SendableMetatype>(
        _ name: String,
        _ path: any WritableKeyPath<Root, [Item]> & Sendable,
        listOf noun: String,
        like itemExample: String,
        example: String,
        isOfOneChannel: Bool = true,
        unit: String? = nil,
        short: (@Sendable (WrittenValue) -> SettingLayer)? = nil,
        check: @escaping @Sendable (inout ConfigurationReader, [SettingReading<Item>]) -> Void,
        text: () -> String
    ) {
        declaration = Setting(
            name: name,
            syntax: SettingSyntax(unit: unit, isList: true),
            defaultValue: nil,
            absence: nil,
            example: example,
            isOfOneChannel: isOfOneChannel,
            // Its fields say it.
            api: .open,
            affects: .nothing,
            items: Setting.Items(
                noun: noun,
                example: itemExample,
                fields: Item.settings.map(\.declaration),
                short: short
            ),
            text: text()
        )
        read = { reader, settings, reading in
            let items = (settings.items(name, short: short) ?? []).enumerated().map { index, layer in
                reader.read(
                    Item.self,
                    from: LayeredSettings(layers: [layer], path: "\(settings.path)\(name)[\(index)].")
                )
            }
            reading.notePlaces(name, items.compactMap(\.origin))
            check(&reader, items)
            reading.value[keyPath: path] = items.map(\.value)
        }
        identity = { root in
            root[keyPath: path].enumerated().flatMap { index, item in
                Item.settings.flatMap { field in
                    field.identity(item).map { ("[\(index)].\(field.declaration.name)", $0.effect, $0.text) }
                }
            }
        }
        differs = { $0[keyPath: path] != $1[keyPath: path] }
    }
}
